// SPDX-License-Identifier: Apache-2.0
// The one table of what an SQLite result code means for a call: not applied, or unknown. Unknown comes
// from COMMIT alone, and a store that has seen it takes no more calls: what its caches hold may differ from
// what the disk holds, and only a process that starts anew and reads the file again can tell.
#pragma once

#include "runtime/result/error.hpp"
#include "store/sqlite/connection.hpp"

namespace pawl::sqlite {

enum class Phase : std::uint8_t {
    open,        // before the first call
    statement,   // inside a transaction that has not been committed
    commit,      // COMMIT was sent
    checkpoint,  // pages are moved from the log to the file
};

struct Failure {
    Error error;
    bool fatal = false;    // the store takes no more calls
    bool of_call = false;  // the call's own fault: the others of its batch can be carried out
};

Failure failure_of(int result, Phase phase, const Connection& connection);

}  // namespace pawl::sqlite
