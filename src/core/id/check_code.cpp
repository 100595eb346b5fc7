// SPDX-License-Identifier: Apache-2.0
#include "core/id/check_code.hpp"

#include <fmt/format.h>

#include "runtime/codec/digest.hpp"

namespace pawl::id {
namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr int kBitsPerLetter = 5;
static_assert(kAlphabet.size() == 1U << kBitsPerLetter);

// What a person may have meant by what he wrote.
char meant(char c) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (c == 'I' || c == 'L') return '1';
    return c == 'O' ? '0' : c;
}

}  // namespace

std::string check_code(std::span<const std::string> fields, Id id) {
    DigestStream stream;
    stream.add_part("pawl.check_code.1");
    for (const std::string& field : fields) stream.add_part(field);
    stream.add_part(to_text(id));
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

std::string to_checked_text(Id id, std::span<const std::string> fields) {
    return fmt::format("{}-{}", id, check_code(fields, id));
}

Result<WrittenId> parse_written_id(std::string_view text) {
    const std::size_t dash = text.find('-');
    auto id = parse_id(text.substr(0, dash));
    if (!id) return fail(std::move(id.error()));
    WrittenId written{.id = *id};
    if (dash == std::string_view::npos) return written;
    for (const char c : text.substr(dash + 1)) written.code += meant(c);
    const bool has_form = written.code.size() == kCheckCodeLength &&
                          written.code.find_first_not_of(kAlphabet) == std::string::npos;
    if (has_form) return written;
    return fail(Code::request_invalid,
                fmt::format("Behind an id and `-` stands its check code, {} of the characters {}.",
                            kCheckCodeLength, kAlphabet));
}

bool fits(const WrittenId& written, std::span<const std::string> fields) {
    return check_code(fields, written.id) == written.code;
}

}  // namespace pawl::id
