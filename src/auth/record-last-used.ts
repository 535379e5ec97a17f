import { db, Prisma } from '../infra/db.ts';
import { log } from '../infra/log.ts';
import { wasReadOnly } from '../infra/read-only.ts';
import type { SignedIn } from './viewer.ts';

/** The last use is recorded once a minute, so that a busy client costs one write a minute. */
const RESOLUTION_SECONDS = 60;

/** A credential with a row of its own. */
type Credential = Exclude<SignedIn['via'], { scheme: 'mail' }>;

const unfinished = new Set<Promise<void>>();

/**
 * Records the use of a credential in the background: the request neither waits for it nor fails with it; `settleUses` waits.
 * A one-time token is a login of its account too; an access token comes from one. In read-only mode nothing changes
 * (docs/decisions.md D122).
 */
export function recordLastUsed(via: Credential, ip: string | null, lastUsed: Date | null, now: number): void {
  if (wasReadOnly() || (lastUsed !== null && lastUsed.getTime() / 1000 > now - RESOLUTION_SECONDS)) return;
  const work: Promise<void> = use(via, ip)
    .catch((error: unknown) => log.warn({ err: error }, 'last use not recorded'))
    .finally(() => unfinished.delete(work));
  unfinished.add(work);
}

const IS_DUE = Prisma.sql`(last_used IS NULL OR last_used < now() - make_interval(secs => ${RESOLUTION_SECONDS}))`;

async function use(via: Credential, ip: string | null): Promise<void> {
  await (via.scheme === 'jwt'
    ? useKey(via.apiKeyId, ip)
    : db.$executeRaw`UPDATE access_token SET last_used = now() WHERE id = ${via.tokenId} AND ${IS_DUE}`);
}

/** The account is skipped while a transaction has it locked, which may wait for the key. */
async function useKey(apiKeyId: number, ip: string | null): Promise<void> {
  await db.$executeRaw`
    WITH used AS (
      UPDATE api_key SET last_used = now() WHERE id = ${apiKeyId} AND ${IS_DUE} RETURNING account_id
    ), unlocked AS (
      SELECT id FROM account WHERE id = (SELECT account_id FROM used) AND deleted_at IS NULL FOR UPDATE SKIP LOCKED
    )
    UPDATE account SET last_login = now(), last_login_ip = ${ip} FROM unlocked WHERE account.id = unlocked.id`;
}

/** Waits for pending writes at shutdown. */
export async function settleUses(): Promise<void> {
  await Promise.all(unfinished);
}
