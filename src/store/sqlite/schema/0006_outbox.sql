-- SPDX-License-Identifier: Apache-2.0
-- Schema 6: what is told once, what is sent to whom, compensations under way, windows of ids. Explained in
-- docs/sqlite_schema.md. The tables that are made anew are empty in every file: no version of the program served flows
-- before this one.

DROP TABLE flow_step;
CREATE TABLE flow_step (
    number    INTEGER PRIMARY KEY,
    previous  INTEGER NOT NULL,  -- of the same entity; 0: the first
    outgoing  INTEGER NOT NULL,  -- 1: it is an event that is sent
    row       BLOB NOT NULL
) STRICT;

DROP TABLE flow_saga;
CREATE TABLE flow_saga (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    key      BLOB NOT NULL UNIQUE,
    state    INTEGER NOT NULL,  -- 0 running; 1 done; 2 needs attention
    next_ms  INTEGER NOT NULL,  -- when a runner looks, while it is running
    row      BLOB NOT NULL
) STRICT;
CREATE INDEX flow_saga_next ON flow_saga (next_ms) WHERE state = 0;
CREATE INDEX flow_saga_attention ON flow_saga (number) WHERE state = 2;

DROP TABLE flow_waiting;
CREATE TABLE flow_waiting (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    key          BLOB NOT NULL UNIQUE,  -- the same for every repeat of the fact
    meeting      BLOB NOT NULL,
    remember_ms  INTEGER,               -- NULL: it waits; else it became an entry for people, and is known until then
    row          BLOB NOT NULL
) STRICT;
CREATE INDEX flow_waiting_meeting ON flow_waiting (meeting) WHERE remember_ms IS NULL;
CREATE INDEX flow_waiting_remember ON flow_waiting (remember_ms) WHERE remember_ms IS NOT NULL;

DROP TABLE flow_attention;
CREATE TABLE flow_attention (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    key        BLOB NOT NULL,  -- the same for whatever is told again
    closed_ms  INTEGER,        -- NULL: it is open
    row        BLOB NOT NULL
) STRICT;
CREATE INDEX flow_attention_key ON flow_attention (key);
CREATE INDEX flow_attention_open ON flow_attention (number) WHERE closed_ms IS NULL;
CREATE INDEX flow_attention_closed ON flow_attention (closed_ms) WHERE closed_ms IS NOT NULL;

-- Behind its position every outgoing row was sent to a sink, before it none; except those in flow_held.
CREATE TABLE flow_sink (
    name      BLOB PRIMARY KEY,
    position  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE flow_held (
    sink    BLOB NOT NULL,
    number  INTEGER NOT NULL,  -- of flow_step
    entity  BLOB NOT NULL,     -- its key
    held    INTEGER NOT NULL,  -- 0 again, from due_ms on; 1 behind one of its entity; 2 parked; 3 sent before others
    due_ms  INTEGER NOT NULL,
    tries   INTEGER NOT NULL,
    said    BLOB NOT NULL,     -- parked: why
    PRIMARY KEY (sink, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX flow_held_due ON flow_held (sink, held, due_ms, number);
CREATE INDEX flow_held_entity ON flow_held (sink, entity, number) WHERE held < 3;

CREATE TABLE id_window (
    machine   INTEGER PRIMARY KEY,  -- bucket * 2^32 + worker
    until_ms  INTEGER NOT NULL
) STRICT;
