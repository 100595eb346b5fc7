-- SPDX-License-Identifier: Apache-2.0
-- Schema 8: whose an entry for people is, so that an order shows what waits before a person about it and what somebody
-- has closed; and which compensations are not done. Explained in docs/sqlite_schema.md. Entries of before are nobody's:
-- they stay in the lists alone.

ALTER TABLE flow_attention ADD COLUMN meeting BLOB;  -- as in flow_waiting
CREATE INDEX flow_attention_meeting ON flow_attention (meeting, number) WHERE meeting IS NOT NULL;

CREATE INDEX flow_saga_open ON flow_saga (number) WHERE state <> 1;
