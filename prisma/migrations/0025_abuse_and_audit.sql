-- The moderators' inbox: what the reporter's program sent with a report, and the decision about it.

ALTER TABLE abuse_report
  ADD COLUMN details JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN state TEXT NOT NULL DEFAULT 'open',
  ADD COLUMN note TEXT,
  ADD COLUMN decided_by INTEGER,
  ADD COLUMN decided TIMESTAMPTZ(3),
  ADD CONSTRAINT abuse_report_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES account (id) ON DELETE SET NULL ON UPDATE CASCADE,
  ADD CONSTRAINT abuse_report_state_known CHECK (state IN ('open', 'valid', 'dismissed', 'duplicate')),
  ADD CONSTRAINT abuse_report_decided_together CHECK ((state = 'open') = (decided IS NULL));

CREATE INDEX abuse_report_state_id_idx ON abuse_report (state, id);
CREATE INDEX abuse_report_lower_guid ON abuse_report (lower(addon_guid));

-- The logs are append-only by rights as well as by trigger. The owner of a table can grant itself the rights again; a role that
-- is not the owner cannot (docs/operating.md).
REVOKE UPDATE, DELETE, TRUNCATE ON activity, audit_entry, signing_certificate FROM PUBLIC, CURRENT_USER;
