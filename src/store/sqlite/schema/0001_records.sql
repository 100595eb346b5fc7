-- SPDX-License-Identifier: Apache-2.0
-- Schema 1: idempotency records. Explained in docs/sqlite_schema.md.

-- Exactly one row: what no restart may forget. Written with every commit that changes something.
CREATE TABLE mark (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    fence    INTEGER NOT NULL,  -- the last one given out; the upper 16 bits are the restore epoch
    time_ms  INTEGER NOT NULL,  -- the latest store time
    boot     INTEGER NOT NULL   -- the number of the latest boot, random
) STRICT;
INSERT INTO mark (id, fence, time_ms, boot) VALUES (1, 0, 0, 0);

-- Records are kept in the order of their first claim, in generations.
CREATE TABLE generation (
    number     INTEGER PRIMARY KEY,
    state      INTEGER NOT NULL,  -- 1 open: takes new records; 2 sealed: being indexed; 3 ready: indexed
    opened_ms  INTEGER NOT NULL,
    records    INTEGER NOT NULL,  -- given out, once sealed
    due_ms     INTEGER NOT NULL,  -- when it may be ready to be emptied
    filter     BLOB               -- of a ready generation's identities
) STRICT;

CREATE TABLE record (
    id   INTEGER PRIMARY KEY,  -- generation * 2^32 + position
    row  BLOB NOT NULL         -- frame around docs/row_format.md
) STRICT;

-- Of ready generations; the others are indexed in memory.
CREATE TABLE identity (
    generation  INTEGER NOT NULL,
    identity    BLOB NOT NULL,
    position    INTEGER NOT NULL,
    PRIMARY KEY (generation, identity)
) STRICT, WITHOUT ROWID;

-- Keys and traces by the leading 8 bytes of a digest.
CREATE TABLE name (
    generation  INTEGER NOT NULL,
    hash        INTEGER NOT NULL,
    position    INTEGER NOT NULL,
    PRIMARY KEY (generation, hash, position)
) STRICT, WITHOUT ROWID;

-- The unresolved records of ready generations.
CREATE TABLE unresolved (
    record  INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE answer (
    id      INTEGER PRIMARY KEY,  -- slot of its last hour * 2^45 + fence modulo 2^45
    answer  BLOB NOT NULL
) STRICT;

CREATE TABLE timeline (
    record  INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    entries BLOB NOT NULL,
    PRIMARY KEY (record, number)
) STRICT, WITHOUT ROWID;
