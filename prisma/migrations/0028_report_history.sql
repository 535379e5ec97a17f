-- What moderators did about an abuse report, newest first.
CREATE INDEX activity_abuse_history ON activity ((details->>'reportId'), id) WHERE action IN ('abuse-report-decided', 'abuse-reply-sent');
-- Decided reports by state or by moderator, the newest decision first.
CREATE INDEX abuse_report_state_decided_id_idx ON abuse_report (state, decided, id);
CREATE INDEX abuse_report_decided_by_decided_id_idx ON abuse_report (decided_by, decided, id);
