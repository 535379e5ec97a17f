import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from './secret-box.ts';

const BYTES = 16;

const keyBytes = (reportId: number): Buffer =>
  createHmac('sha256', derivedKey('abuse-reports')).update(String(reportId)).digest().subarray(0, BYTES);

/** The secret with which the reporter of an abuse report reads its state, without an account: 32 hex digits. */
export const reportKey = (reportId: number): string => keyBytes(reportId).toString('hex');

/** Whether a text is the secret of this report. */
export function isReportKey(text: string, reportId: number): boolean {
  const bytes = Buffer.from(text, 'hex');
  return bytes.length === BYTES && timingSafeEqual(bytes, keyBytes(reportId));
}
