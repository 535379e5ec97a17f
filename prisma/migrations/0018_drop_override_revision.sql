-- Compat overrides are read with one batched statement per request, so their list needs no revision.
DROP TRIGGER renew_revision ON compat_override;
DROP TRIGGER renew_revision ON compat_override_range;
DROP FUNCTION renew_override_revision();
DROP TABLE compat_override_revision;
