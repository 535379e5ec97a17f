-- A time as every response shows it, whatever the session's time zone.
CREATE OR REPLACE FUNCTION utc_seconds(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
