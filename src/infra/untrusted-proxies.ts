/* Peers that send X-Forwarded-For without being trusted: a log line for each process, and a row for `addons doctor`. */
import { pool } from './db.ts';
import { log } from './log.ts';

/** The row of `service_state` with the address of the last such peer. */
const STATE = 'untrusted_proxy';

/** How often the row is renewed, and for how long `untrustedProxy` returns it. */
const RENEW_MS = 3_600_000;
const SHOWN_HOURS = 24;

let noted = Number.NEGATIVE_INFINITY;
let isLogged = false;

/**
 * Notes that this peer sent X-Forwarded-For, which is ignored. If the peer is the operator's proxy, limits per address count all its
 * clients as one.
 */
export function noteUntrustedProxy(address: string): void {
  const now = performance.now();
  if (now - noted < RENEW_MS) return;
  noted = now;
  if (!isLogged) log.warn({ peer: address }, UNTRUSTED_PROXY_ADVICE);
  isLogged = true;
  const row = [STATE, JSON.stringify(address)];
  // The row serves a warning only; the next hour writes it again.
  pool
    .query(
      `INSERT INTO service_state (name, value, modified) VALUES ($1, $2::jsonb, now())
       ON CONFLICT (name) DO UPDATE SET value = excluded.value, modified = now()`,
      row,
    )
    .catch(() => {});
}

/** What an operator does about such a peer. */
export const UNTRUSTED_PROXY_ADVICE =
  'X-Forwarded-For of a peer that is not in TRUSTED_PROXIES is ignored; add the peer there if it is your proxy, since limits per address count all its clients as one';

/** The last peer that was noted in the past day by any process; null for none. */
export async function untrustedProxy(): Promise<string | null> {
  const { rows } = await pool.query<{ address: string }>(
    `SELECT value #>> '{}' AS address FROM service_state
     WHERE name = $1 AND modified > now() - make_interval(hours => $2::int)`,
    [STATE, SHOWN_HOURS],
  );
  return rows[0]?.address ?? null;
}
