import { count, meta } from './types.ts';

const days = (least: number, fallback: number) => count(least, 36_500).default(fallback);

/** How long rows are kept that grow with use. docs/retention.md lists all tables. */
export const retentionSettings = {
  MAIL_RETENTION_DAYS: [
    days(1, 90),
    meta('Retention', 'Days that mails are kept in the outbox after they were sent, or failed for good.'),
  ],
  WEBHOOK_RETENTION_DAYS: [
    days(1, 30),
    meta('Retention', 'Days that deliveries of webhooks are kept after they were accepted or given up.'),
  ],
  REPLY_ADDRESS_DAYS: [days(1, 60), meta('Retention', 'Days that the reply address of a mail takes replies.')],
  TOKEN_RETENTION_DAYS: [
    days(1, 90),
    meta(
      'Retention',
      'Days that access tokens, sessions and unused keys of jobs are kept after their end, and invitations after theirs.',
    ),
  ],
  REPORT_RETENTION_DAYS: [
    days(1, 1_095),
    meta('Retention', 'Days that abuse reports are kept after the decision; open ones are kept.'),
  ],
  FAILED_JOB_RETENTION_DAYS: [
    days(1, 90),
    meta('Retention', 'Days that a job is kept after its last attempt failed, for `addons jobs`.'),
  ],
  UPDATE_CHECK_RETENTION_DAYS: [
    days(8, 31),
    meta('Retention', 'Days that counts of update checks by application and version are kept.'),
  ],
  STATISTICS_RETENTION_DAYS: [
    days(62, 800),
    meta('Retention', 'Days after which users and downloads of an add-on are kept by month instead of by day.'),
  ],
  DOWNLOAD_RETENTION_DAYS: [
    days(62, 800),
    meta('Retention', 'Days after which counted downloads of a file are kept by month instead of by day.'),
  ],
} as const;
