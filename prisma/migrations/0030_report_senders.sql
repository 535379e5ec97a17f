-- The reports of one sender, in the order of their list.
CREATE INDEX abuse_report_reporter_id_id_idx ON abuse_report (reporter_id, id);
