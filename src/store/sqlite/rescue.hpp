// SPDX-License-Identifier: Apache-2.0
// After an I/O error nobody knows which pages of the file are on the disk and which only in the kernel's
// cache: a later sync can succeed without having written them. The process that met the error leaves a mark
// (PATH-suspect) and stops; the next one writes everything it can read to a fresh file, syncs that, and
// serves from it.
//
//   suspect mark    -> copy to PATH-fresh.part, sync, rename to PATH-fresh
//   PATH-fresh      -> it is complete: remove the old log, rename to PATH, remove the mark
//
// A mark that says where the files were (file_place.hpp) is left when they were taken away while they were served.
// Then nothing else is served in their place.
//
// Each arrow may be cut by a kill and is taken again on the next start.
#pragma once

#include <string>
#include <string_view>

#include "runtime/result/result.hpp"

namespace pawl::sqlite {

// Best effort: the disk may be gone.
void mark_suspect(const std::string& path, std::string_view place = {});

// What to do when a store's files have been taken away.
std::string put_back_words(const std::string& path);

// Precondition: the lock is held, the file is not open. Errors: store_corrupt when it cannot be read whole,
// store_full, unavailable; the mark stays and the next start tries again.
Status rescue(const std::string& path);
// The same for a sound file, which gets what files have that are made now. Precondition and errors: as above.
Status write_fresh(const std::string& path);

}  // namespace pawl::sqlite
