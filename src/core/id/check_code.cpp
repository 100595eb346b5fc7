// SPDX-License-Identifier: Apache-2.0
#include "core/id/check_code.hpp"

#include <fmt/format.h>

#include "runtime/codec/digest.hpp"

namespace pawl::id {
namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr int kBitsPerLetter = 5;
static_assert(kAlphabet.size() == 1U << kBitsPerLetter);

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return out;
}

}  // namespace

std::string check_code(std::span<const std::string> fields, std::int64_t created_ms) {
    DigestStream stream;
    stream.add_part("pawl.check_code.1");
    for (const std::string& field : fields) stream.add_part(field);
    stream.add_part(std::to_string(created_ms));
    const Digest digest = stream.finish();
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < sizeof bits; ++i) bits = bits << 8 | digest.bytes[i];
    std::string code;
    for (std::size_t i = 0; i < kCheckCodeLength; ++i) {
        code += kAlphabet[bits >> (32 - kBitsPerLetter)];
        bits <<= kBitsPerLetter;
    }
    return code;
}

std::string to_checked_text(Id id, const Layout& layout, std::span<const std::string> fields) {
    return fmt::format("{}-{}", id, check_code(fields, unpack(layout, id).time_ms));
}

Result<Id> parse_checked_id(std::string_view text, const Layout& layout,
                            std::span<const std::string> fields) {
    const std::size_t dash = text.find('-');
    const std::string code =
        dash == std::string_view::npos ? std::string() : upper(text.substr(dash + 1));
    if (code.size() != kCheckCodeLength || code.find_first_not_of(kAlphabet) != std::string::npos)
        return fail(Code::request_invalid,
                    fmt::format("An id is written with its check code here: ID-CODE, a code of {} "
                                "of the characters {}.",
                                kCheckCodeLength, kAlphabet));
    const auto id = parse_id(text.substr(0, dash));
    if (!id) return fail(id.error());
    if (check_code(fields, unpack(layout, *id).time_ms) != code)
        return fail(Code::not_found,
                    "The check code does not belong to this id: it was mistyped, or is of another "
                    "kind. Nothing was looked up.");
    return *id;
}

}  // namespace pawl::id
