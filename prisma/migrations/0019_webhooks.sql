-- Where events of an add-on, or of all of them, are sent to.
CREATE TABLE webhook (
    id serial PRIMARY KEY,
    -- Null for one of the service.
    addon_id integer REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    url text NOT NULL,
    sealed_secret bytea NOT NULL,
    -- The actions of the activity log that it gets.
    actions text[],
    is_enabled boolean NOT NULL DEFAULT true,
    -- Attempts that failed since the last delivery, and the time before which none starts.
    failures integer NOT NULL DEFAULT 0,
    paused_until timestamptz(3),
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX webhook_addon_id_idx ON webhook (addon_id);

-- The outbox of webhooks, written by a trigger in the transaction of each event.
CREATE TABLE webhook_delivery (
    id serial PRIMARY KEY,
    webhook_id integer NOT NULL REFERENCES webhook ON DELETE CASCADE ON UPDATE CASCADE,
    event_id uuid NOT NULL DEFAULT gen_random_uuid(),
    action text NOT NULL,
    data jsonb NOT NULL,
    state text NOT NULL DEFAULT 'queued',
    attempts integer NOT NULL DEFAULT 0,
    -- When it was queued for the first time, or replayed last.
    queued timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    next_attempt timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    claimed_until timestamptz(3),
    response_status integer,
    last_error text,
    finished timestamptz(3),
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT webhook_delivery_finished_together CHECK ((state = 'queued') = (finished IS NULL)),
    CONSTRAINT webhook_delivery_state_known CHECK (state IN ('queued', 'delivered', 'failed'))
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (next_attempt, id) WHERE state = 'queued';
CREATE INDEX webhook_delivery_webhook_id_id_idx ON webhook_delivery (webhook_id, id);
