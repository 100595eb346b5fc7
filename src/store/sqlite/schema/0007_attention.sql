-- SPDX-License-Identifier: Apache-2.0
-- Schema 7: which facts stand before a person, so that whoever takes one finds the entry. Explained in
-- docs/sqlite_schema.md. Entries of before are about none: nothing said which.

CREATE TABLE flow_about (
    fact    BLOB NOT NULL,     -- as in flow_fact
    number  INTEGER NOT NULL,  -- of an entry of flow_attention that is open
    PRIMARY KEY (fact, number)
) STRICT, WITHOUT ROWID;
