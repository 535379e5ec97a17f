/*
 * SIGHUP: the files of secret settings, of keys and of certificates are read again. A file that cannot be used leaves the earlier value in
 * use, and the log says which.
 */
import { forgetKeyFile, useKeyFile } from '../auth/secret-box.ts';
import { requireSecretKey } from '../auth/shared-keys.ts';
import { changedSecrets, config } from '../config.ts';
import { checkDatabase, useDatabase } from '../infra/db.ts';
import { log } from '../infra/log.ts';
import { hasSearchServer, reconnectSearchServer } from '../infra/search-server/send-request.ts';
import { isTerminalLost } from './shutdown.ts';

/** Something else that a process reads again. Rejects, and changes nothing, when it cannot be used. */
interface ReloadedPart {
  /** What it is, for the log. */
  what: string;
  reload(): Promise<unknown>;
}

/**
 * Reads secret settings and `parts` again at each SIGHUP. The database must be open. Signals during a reload cause one more afterwards.
 * `secretKey` is `unchecked` on hosts without one.
 */
export function reloadOnHangup(
  parts: readonly ReloadedPart[] = [],
  secretKey: 'require' | 'unchecked' = 'require',
): void {
  let isRunning = false;
  let isDue = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    do {
      isDue = false;
      await reload(parts, secretKey).catch((error) => log.error({ err: error }, 'Secrets cannot be read again.'));
    } while (isDue);
    isRunning = false;
  };
  const onHangup = (): void => {
    if (isTerminalLost()) return;
    isDue = true;
    if (!isRunning) void run();
  };
  process.on('SIGHUP', onHangup);
}

async function reload(parts: readonly ReloadedPart[], secretKey: 'require' | 'unchecked'): Promise<void> {
  const { changed, problems } = changedSecrets();
  for (const problem of problems)
    log.error({ problem }, 'A secret cannot be read again; the earlier value stays in use.');
  const of = (...names: string[]) =>
    Object.fromEntries(Object.entries(changed).filter(([name]) => names.includes(name)));
  const special = ['DATABASE_URL', 'DATABASE_SESSION_URL', 'SECRET_KEY', 'SECRET_KEY_PREVIOUS'];
  Object.assign(config, Object.fromEntries(Object.entries(changed).filter(([name]) => !special.includes(name))));
  const all: ReloadedPart[] = [
    { what: 'the database', reload: () => useChangedDatabase(of('DATABASE_URL', 'DATABASE_SESSION_URL')) },
    ...(secretKey === 'require'
      ? [{ what: 'the secret key', reload: () => useSecretKeys(of('SECRET_KEY', 'SECRET_KEY_PREVIOUS')) }]
      : []),
    ...(hasSearchServer() ? [{ what: 'the search server', reload: async () => reconnectSearchServer() }] : []),
    ...parts,
  ];
  for (const { what, reload } of all) {
    await reload().catch((error) =>
      log.error({ err: error, what }, 'New settings cannot be used; the earlier ones stay.'),
    );
  }
  log.info({ changed: Object.keys(changed) }, 'Secrets and keys were read again.');
}

/** Connections that are open stay; new ones are made with the new addresses. */
async function useChangedDatabase(changed: Record<string, unknown>): Promise<void> {
  for (const url of Object.values(changed)) await checkDatabase(String(url));
  Object.assign(config, changed);
  if (config.DATABASE_URL !== undefined) useDatabase(config.DATABASE_URL);
}

/** The key file and the link keys in the database are read again as well. */
async function useSecretKeys(changed: object): Promise<void> {
  const { SECRET_KEY, SECRET_KEY_PREVIOUS } = config;
  const fromFile = forgetKeyFile();
  Object.assign(config, changed);
  try {
    await requireSecretKey();
  } catch (error) {
    Object.assign(config, { SECRET_KEY, SECRET_KEY_PREVIOUS });
    useKeyFile(fromFile);
    throw error;
  }
}
