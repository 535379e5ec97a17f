-- The counted update checks of all days. A key may have two rows, one of each table.
CREATE OR REPLACE VIEW counted_check AS
SELECT addon_id, day, app, version, count FROM update_check
UNION ALL SELECT addon_id, day, app, version, count FROM update_check_count;
