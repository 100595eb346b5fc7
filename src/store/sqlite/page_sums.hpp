// SPDX-License-Identifier: Apache-2.0
// A sum in every page of a store's file. SQLite trusts the pages that it reads: a flipped bit in an inner page
// sends a search to the wrong leaf, and a key that is there is reported absent. So each page ends with eight
// bytes that SQLite leaves alone (`reserve bytes`), in which its sum is written when the page goes to the file and
// checked when it comes from there: a page that does not fit is SQLITE_CORRUPT, whatever is on it.
//
//   page = 4088 bytes of SQLite's, sum:8     lowest byte first; over the bytes and the page's number; never 0
//
// SQLite itself only ever sees zeros there. So does the log, and so does every other program that writes a page: a
// sum of zero is that of a page that was written without Pawl (a copy by VACUUM INTO), and is not checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pawl::sqlite {

inline constexpr std::size_t kPageBytes = 4'096;
inline constexpr std::size_t kPageSumBytes = 8;

// Precondition: `bytes` is a page without its sum.
std::uint64_t page_sum(std::string_view bytes, std::uint64_t page_number);

// What the first bytes of a file say of its pages.
enum class PageKind : std::uint8_t {
    none,    // too short to say: an empty file
    summed,  // made by Pawl
    plain,   // without room for sums: as releases before schema 3 have made them
    other,   // neither; the head is damaged, or it is another program's
};
inline constexpr std::size_t kFileHead = 100;
PageKind page_kind(std::string_view file_head);

// The name of a file system of SQLite's that does this over the one called `vfs` (empty: the default one), which
// may come and go under its name. Files whose head does not reserve the bytes are left as they are.
std::string vfs_with_page_sums(const std::string& vfs);

}  // namespace pawl::sqlite
