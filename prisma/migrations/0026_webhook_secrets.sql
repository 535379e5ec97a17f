-- Why an attempt failed is a message: its code and parameters. No release has stored texts.
ALTER TABLE webhook_delivery ALTER COLUMN last_error TYPE jsonb USING NULL::jsonb;

-- The secret before the present one, which signs as well until this time.
ALTER TABLE webhook
    ADD COLUMN sealed_previous bytea,
    ADD COLUMN previous_until timestamptz(3),
    ADD CONSTRAINT webhook_previous_together CHECK ((sealed_previous IS NULL) = (previous_until IS NULL));
