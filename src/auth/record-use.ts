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
 * Records the use of a credential and the account's last login, in the background: the request neither waits
 * for it nor fails with it; `settleUses` waits. In read-only mode both stand still (people.md D122).
 */
export function recordUse(via: Credential, ip: string | null, lastUsed: Date | null, now: number): void {
  if (wasReadOnly() || (lastUsed !== null && lastUsed.getTime() / 1000 > now - RESOLUTION_SECONDS)) return;
  const work: Promise<void> = use(via, ip)
    .catch((error: unknown) => log.warn({ err: error }, 'last use not recorded'))
    .finally(() => unfinished.delete(work));
  unfinished.add(work);
}

/** The account is skipped while a transaction has it locked, which may wait for the credential. */
async function use(via: Credential, ip: string | null): Promise<void> {
  const [table, id] = via.scheme === 'jwt' ? ['api_key', via.apiKeyId] : ['access_token', via.tokenId];
  await db.$executeRaw`
    WITH used AS (
      UPDATE ${Prisma.raw(table)} SET last_used = now()
      WHERE id = ${id} AND (last_used IS NULL OR last_used < now() - make_interval(secs => ${RESOLUTION_SECONDS}))
      RETURNING account_id
    ), unlocked AS (
      SELECT id FROM account WHERE id = (SELECT account_id FROM used) AND deleted_at IS NULL FOR UPDATE SKIP LOCKED
    )
    UPDATE account SET last_login = now(), last_login_ip = ${ip} FROM unlocked WHERE account.id = unlocked.id`;
}

/** Waits for pending writes at shutdown. */
export async function settleUses(): Promise<void> {
  await Promise.all(unfinished);
}
