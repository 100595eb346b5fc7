-- SPDX-License-Identifier: Apache-2.0
-- Schema 5: flows. Rows are those of store/port/flow_format.hpp. Explained in docs/sqlite_schema.md.

CREATE TABLE flow_entity (
    key        BLOB PRIMARY KEY,  -- tenant, flow, id; ids sort as numbers
    next_ms    INTEGER,           -- when a sweep looks at its deadlines; NULL: none runs
    name       BLOB,              -- tenant, flow, business key; NULL: it has none
    last_step  INTEGER NOT NULL,  -- the latest row of its history
    row        BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX flow_entity_name ON flow_entity (name) WHERE name IS NOT NULL;
CREATE INDEX flow_entity_next ON flow_entity (next_ms) WHERE next_ms IS NOT NULL;

-- History, and by its order the outbox.
CREATE TABLE flow_step (
    number    INTEGER PRIMARY KEY,
    previous  INTEGER NOT NULL,  -- of the same entity; 0: the first
    row       BLOB NOT NULL
) STRICT;

CREATE TABLE flow_fact (
    key  BLOB PRIMARY KEY,
    row  BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE flow_slot (
    number    INTEGER PRIMARY KEY,
    resource  BLOB NOT NULL,  -- tenant, flow, resource
    row       BLOB NOT NULL
) STRICT;
CREATE INDEX flow_slot_resource ON flow_slot (resource);

CREATE TABLE flow_saga (
    key  BLOB PRIMARY KEY,
    row  BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE flow_waiting (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    meeting  BLOB NOT NULL,
    row      BLOB NOT NULL
) STRICT;
CREATE INDEX flow_waiting_meeting ON flow_waiting (meeting);

CREATE TABLE flow_attention (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    digest  BLOB NOT NULL UNIQUE,  -- of what makes it the same entry
    row     BLOB NOT NULL
) STRICT;

CREATE TABLE stock_level (
    key        BLOB PRIMARY KEY,  -- tenant, kind, SKU
    available  INTEGER NOT NULL CHECK (available >= 0),
    reserved   INTEGER NOT NULL CHECK (reserved >= 0),
    sold       INTEGER NOT NULL CHECK (sold >= 0)
) STRICT, WITHOUT ROWID;
