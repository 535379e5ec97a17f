import { isLinkCode, linkCode } from './secret-box.ts';

const BYTES = 16;

/** The secret with which the reporter of an abuse report reads its state, without an account: 32 hex digits. */
export const reportKey = (reportId: number): string =>
  linkCode('abuse-reports', String(reportId)).subarray(0, BYTES).toString('hex');

/** Whether a text is the secret of this report. */
export function isReportKey(text: string, reportId: number): boolean {
  const bytes = Buffer.from(text, 'hex');
  return bytes.length === BYTES && isLinkCode('abuse-reports', String(reportId), bytes);
}
