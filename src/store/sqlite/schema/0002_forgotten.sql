-- SPDX-License-Identifier: Apache-2.0
-- Schema 2: what stays of a record that a person has removed. Explained in docs/sqlite_schema.md.

CREATE TABLE forgotten (
    number    INTEGER PRIMARY KEY,  -- in the order of forgetting
    identity  BLOB NOT NULL,
    hash      INTEGER NOT NULL,     -- of the key, as in name; 0: it had none
    at_ms     INTEGER NOT NULL,
    entries   BLOB NOT NULL         -- of its timeline: who, when, why
) STRICT;
CREATE INDEX forgotten_identity ON forgotten (identity);
CREATE INDEX forgotten_hash ON forgotten (hash);
