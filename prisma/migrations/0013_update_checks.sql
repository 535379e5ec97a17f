-- Counts of update checks, partitioned by day, so that old days are dropped instead of deleted row by row. Workers make the partitions
-- of the next days in the schema update_check_days; the default partition has the days that none was made for. update_check_count is
-- what release 0.1.0 writes; both are read. There is no foreign key: it would lock `addon` with each new and each dropped partition, and no
-- add-on is ever deleted.
CREATE SCHEMA update_check_days;
CREATE TABLE update_check (
    addon_id integer NOT NULL,
    day date NOT NULL,
    app text NOT NULL,
    version text NOT NULL,
    count integer NOT NULL DEFAULT 0,
    PRIMARY KEY (addon_id, day, app, version)
) PARTITION BY RANGE (day);
CREATE TABLE update_check_days.others PARTITION OF update_check DEFAULT;
DO $$
DECLARE
  day date;
BEGIN
  FOR day IN SELECT generate_series((now() AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date + 7, interval '1 day') LOOP
    EXECUTE format('CREATE TABLE update_check_days.%I PARTITION OF update_check FOR VALUES FROM (%L) TO (%L)',
      'd' || to_char(day, 'YYYYMMDD'), day, day + 1);
  END LOOP;
END $$;
