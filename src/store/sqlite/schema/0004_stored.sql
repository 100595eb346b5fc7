-- SPDX-License-Identifier: Apache-2.0
-- Schema 4: how much each tenant has stored. Explained in docs/sqlite_schema.md.

CREATE TABLE stored (
    place   INTEGER NOT NULL,  -- below 0: minus a generation; else a slot of answers
    tenant  INTEGER NOT NULL,  -- a hash
    bytes   INTEGER NOT NULL,
    PRIMARY KEY (place, tenant)
) STRICT, WITHOUT ROWID;
