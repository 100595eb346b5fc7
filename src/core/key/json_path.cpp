// SPDX-License-Identifier: Apache-2.0
// Paths after RFC 9535, single-valued ones only: "$", ".name", ["name"] or ['name'] (with \\ and the
// quote escaped), [index]. Wildcards, slices and filters are refused: a fingerprint names its fields.
#include <algorithm>

#include <fmt/format.h>

#include "core/key/json.hpp"

namespace pawl::key {
namespace {

constexpr std::size_t kIndexDigitsMax = 9;

class PathReader {
  public:
    explicit PathReader(const std::string& text) : text_(text) {}

    Result<JsonPath> read() {
        if (text_.empty() || text_[0] != '$') return refuse("a path begins with $");
        at_ = 1;
        JsonPath path{{}, text_};
        while (at_ < text_.size()) {
            Result<JsonPath::Step> step = text_[at_] == '.'   ? member()
                                          : text_[at_] == '[' ? bracket()
                                                              : refuse("a step begins with . or [");
            if (!step) return fail(std::move(step.error()));
            path.steps.push_back(*std::move(step));
        }
        if (path.steps.size() > kJsonDepthMax)
            return refuse(fmt::format("at most {} steps", kJsonDepthMax));
        return path;
    }

  private:
    std::unexpected<Error> refuse(std::string_view why) const {
        return fail(Code::config_invalid,
                    fmt::format("JSON path \"{}\", character {}: {}.", text_, at_ + 1, why));
    }

    Result<JsonPath::Step> member() {
        const std::size_t from = ++at_;
        while (at_ < text_.size() && text_[at_] != '.' && text_[at_] != '[') {
            const auto byte = static_cast<unsigned char>(text_[at_]);
            if (byte == '*') return refuse("wildcards are not taken, name each field");
            if (byte <= ' ' || byte == 0x7F || byte == ']' || byte == '"' || byte == '\'')
                return refuse("such a name is written in brackets and quotes, [\"name\"]");
            ++at_;
        }
        if (at_ == from) return refuse("a name is missing");
        return JsonPath::Step{text_.substr(from, at_ - from), std::nullopt};
    }

    Result<JsonPath::Step> bracket() {
        ++at_;
        if (at_ == text_.size()) return refuse("a bracket is not closed");
        Result<JsonPath::Step> step = text_[at_] == '"' || text_[at_] == '\'' ? quoted() : index();
        if (!step) return step;
        if (at_ == text_.size() || text_[at_] != ']') return refuse("a bracket is not closed");
        ++at_;
        return step;
    }

    Result<JsonPath::Step> quoted() {
        const char quote = text_[at_++];
        JsonPath::Step step;
        for (; at_ < text_.size() && text_[at_] != quote; ++at_) {
            if (text_[at_] == '\\') {
                ++at_;
                if (at_ == text_.size() || (text_[at_] != quote && text_[at_] != '\\'))
                    return refuse("only the quote and the backslash are escaped");
            }
            step.member += text_[at_];
        }
        if (at_ == text_.size()) return refuse("a quote is not closed");
        ++at_;
        return step;
    }

    Result<JsonPath::Step> index() {
        const std::size_t from = at_;
        std::size_t index = 0;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
            if (at_ - from == kIndexDigitsMax) return refuse("an index has at most nine digits");
            index = index * 10 + static_cast<std::size_t>(text_[at_] - '0');
        }
        if (at_ == from) return refuse("an index (0, 1, ...) or a quoted name is expected");
        if (text_[from] == '0' && at_ - from > 1) return refuse("an index has no leading zeros");
        return JsonPath::Step{{}, index};
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

}  // namespace

Result<JsonPath> parse_json_path(std::string_view text) {
    const std::string owned(text);
    return PathReader(owned).read();
}

}  // namespace pawl::key
