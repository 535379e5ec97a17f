/* What REST, pages and the other handlers do alike for a request. */
import type { ServerResponse } from 'node:http';
import { requireSignedIn } from '../auth/permissions.ts';
import type { Viewer } from '../auth/viewer.ts';
import { config } from '../config.ts';
import { withDatabaseErrorsExplained } from '../infra/database-errors.ts';
import { log } from '../infra/log.ts';
import { networkOf } from '../infra/network.ts';
import { consumeLimit, consumeUploadLimit, type LimitName } from '../infra/rate-limits.ts';
import { lastReadOnlyTexts, lastSiteNotice, type OperatorTexts, siteNotice } from '../infra/read-only.ts';
import { reserveUpload } from '../infra/staging/staging.ts';
import { negotiateLocale } from '../texts/locales.ts';
import { acceptedLanguages } from './accepts.ts';

/** The client of a request. */
export interface Sender {
  ip: string | null;
  requestId: string;
  /** Names of the GraphQL operations that ran for it, as its log line has them. */
  operations: string[];
}

/** A response, with what `identify` in middleware.ts adds. */
export type IdentifiedResponse = ServerResponse & { locals: Record<string, unknown> & { sender?: Sender } };

/** The sender that `identify` has set. */
export const senderOf = ({ locals }: IdentifiedResponse): Sender =>
  locals.sender ?? { ip: null, requestId: '', operations: [] };

/** The language of constant texts in REST, and of the texts of add-ons. */
export function chooseLocale(lang: string | null, acceptLanguage: string | undefined): string {
  return negotiateLocale(lang, acceptedLanguages(acceptLanguage), config.DEFAULT_LOCALE);
}

/** Counts a request of an account or an address. @throws {ThrottledError} above the limit. */
export async function countVisit(limit: LimitName, viewer: Viewer, ip: string | null): Promise<void> {
  const key = viewer.kind === 'account' ? `account ${viewer.accountId}` : ip === null ? null : networkOf(ip);
  if (key !== null) await withDatabaseErrorsExplained(() => consumeLimit(limit, key));
}

/**
 * Reserves room for a body of `bytes`, and counts an upload of a package. Returns the function that releases the room.
 * @throws {ThrottledError}
 */
export async function reserveCountedUpload(
  viewer: Viewer,
  { bytes, isCounted }: { bytes: number; isCounted: boolean },
): Promise<() => void> {
  const { accountId } = requireSignedIn(viewer);
  if (isCounted) await withDatabaseErrorsExplained(() => consumeUploadLimit(accountId));
  return reserveUpload(accountId, bytes);
}

/** Logs an unexpected error. */
export function logFailure(error: unknown, requestId: string): void {
  log.error({ err: error, requestId }, 'request failed');
}

/** Reads the notice of operators on all pages, and whether the service is in read-only mode, again if they may have changed. */
export async function readNotice(): Promise<void> {
  await siteNotice();
}

/** The notice of operators at its last read; null for none. */
export const lastNotice = (): OperatorTexts | null => lastSiteNotice();

/** The texts of read-only mode at their last read, none where the service uses its own words; null outside the mode. */
export const lastReadOnly = (): OperatorTexts | null => lastReadOnlyTexts();
