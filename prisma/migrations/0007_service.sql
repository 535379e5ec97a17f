-- The state of the service itself.

-- Switches and records of the installation that all processes share, such as read-only mode.
CREATE TABLE service_state (
    name text PRIMARY KEY,
    value jsonb NOT NULL,
    modified timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Forms of pages that were sent in the last 24 hours: a form that is sent again does not act again.
CREATE TABLE sent_form (
    hash bytea PRIMARY KEY,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    finished timestamptz(3),
    location text
);
CREATE INDEX sent_form_created_idx ON sent_form (created);

-- Stored files that a reader found lost or damaged, until they are put back.
CREATE TABLE stored_file_problem (
    sha256 text PRIMARY KEY,
    problem text NOT NULL,
    found timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    seen timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT stored_file_problem_known CHECK (problem IN ('lost', 'damaged'))
);

-- Counters of rate limits; the library that maintains them prescribes the columns.
CREATE TABLE rate_limit (
    key varchar(255) PRIMARY KEY,
    points integer NOT NULL DEFAULT 0,
    expire bigint
);
