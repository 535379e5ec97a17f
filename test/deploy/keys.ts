/*
 * Keys and secrets that are replaced while clients read, authenticate and upload: `node test/deploy/keys.ts`. The secret key is replaced
 * and everything sealed again; the database's address, and a secret with a broken file first, are read again at SIGHUP; the intermediate certificate is replaced;
 * and the key moves to a process of its own, where its certificate is replaced as well. No request may fail,
 * and every file must verify.
 */
import { createPrivateKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import { createAuthorities, createIntermediate } from '../../src/package/signing/authorities.ts';
import { checkInstallation } from '../crash/kill-checks.ts';
import { exchange } from '../crash/support/http-exchange.ts';
import { createInstallation, freePort, type RunningProcess } from '../crash/support/installation.ts';
import { openInstalledDatabase } from '../crash/support/installed-database.ts';
import { STALLED_MS, until } from '../crash/support/waiting.ts';
import { importAddon } from '../crash/support/watched-addon.ts';
import { PROGRAM, type RunningProgram, startProgram } from '../support/program.ts';
import { makeTlsFiles } from '../support/signers.ts';
import { startKeyLoad } from './key-load.ts';

const STEP_MS = 30_000;
/** A worker has the uploads of a busy machine to validate first. */
const newKey = (): string => randomBytes(32).toString('hex');

const home = await mkdtemp(join(tmpdir(), 'addons-keys-'));
await chmod(home, 0o711);
const file = (name: string): string => join(home, name);
const write = (name: string, text: string): Promise<void> => writeFile(file(name), text, { mode: 0o600 });

const postgres = await startEmbeddedPostgres({ dataDir: home, log: { info: () => {}, warn: () => {} } });
const old = newKey();
const mailSecret = newKey();
const authorities = await createAuthorities();
await Promise.all([
  write('database-url', postgres.url),
  write('secret-key', old),
  write('previous-key', old),
  write('mail-secret', mailSecret),
  write('signing.key', authorities.intermediateKey),
  write('chain.pem', authorities.intermediateCertificate + authorities.rootCertificate),
]);
const settings = {
  DATABASE_URL_FILE: file('database-url'),
  SECRET_KEY_FILE: file('secret-key'),
  SECRET_KEY_PREVIOUS_FILE: file('previous-key'),
  INBOUND_MAIL_SECRET_FILE: file('mail-secret'),
  SIGNING_KEY_FILE: file('signing.key'),
  SIGNING_CHAIN_FILE: file('chain.pem'),
  LOG_LEVEL: 'info',
  SHUTDOWN_DELAY: '0',
};
const installation = await createInstallation(settings);
const database = await openInstalledDatabase(home);
const problems: string[] = [];
let endSigner = async (): Promise<void> => {};
const require = (isTrue: boolean, problem: string): void => void (isTrue || problems.push(problem));

const logOf = (role: string): Promise<string> => readFile(join(dirname(installation.dataDir), `${role}.log`), 'utf8');
const countIn = (text: string, part: string): number => text.split(part).length - 1;
const READ_AGAIN = 'Secrets and keys were read again.';

/** Sends SIGHUP to a process and waits until it has read everything again. */
async function hangUp(role: 'serve' | 'worker', { pid }: RunningProcess): Promise<void> {
  const before = countIn(await logOf(role), READ_AGAIN);
  process.kill(pid, 'SIGHUP');
  await until(`${role} to read its secrets again`, STEP_MS, async () =>
    countIn(await logOf(role), READ_AGAIN) > before ? true : null,
  );
}

/** The status of a reply by mail, which is 403 with a wrong secret. */
async function mailStatus(secret: string): Promise<number> {
  const body = Buffer.from(JSON.stringify({ SecretKey: secret, Message: {} }));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return (await exchange({ method: 'POST', url: `${installation.url}/api/v4/activity/mail/`, headers, body })).status;
}

async function replaceSecretKey(web: RunningProcess, worker: RunningProcess): Promise<void> {
  const key = newKey();
  await write('secret-key', key);
  await hangUp('serve', web);
  const during = await installation.developer('during');
  await hangUp('worker', worker);
  console.log((await installation.run('secrets', 'reseal')).trim());
  await write('previous-key', key);
  await hangUp('serve', web);
  await hangUp('worker', worker);
  const { key: id } = during;
  const [row] = await database.query<{ count: number }>('SELECT count(*)::int FROM api_key WHERE key = $1', [id]);
  require(row?.count === 1, 'an API key that was made during the replacement is lost');
}

/** The intermediate certificates of the newest entries of the signature log. */
async function issuers(): Promise<string[]> {
  const rows = await database.query<{ issuer: string }>(
    'SELECT issuer_sha256 AS issuer FROM signing_certificate GROUP BY issuer_sha256 ORDER BY min(id)',
  );
  return rows.map(({ issuer }) => issuer);
}

/** Waits until an upload is signed by an intermediate certificate that signed none before. */
async function untilNextIssuer(change: () => Promise<void>): Promise<void> {
  const before = (await issuers()).length;
  await change();
  await until('a file of the next issuer', STALLED_MS, async () => ((await issuers()).length > before ? true : null));
}

/** Writes the key and the chain of a new intermediate certificate. */
async function writeIntermediate(): Promise<void> {
  const { intermediateKey, intermediateCertificate } = await createIntermediate(createPrivateKey(authorities.rootKey));
  await write('signing.key.new', intermediateKey);
  await write('chain.pem.new', intermediateCertificate + authorities.rootCertificate);
  for (const name of ['signing.key', 'chain.pem']) await rename(file(`${name}.new`), file(name));
}

/** Starts the process that holds the key for workers, with the key of this installation. */
async function startSigner(own: Record<string, string>): Promise<RunningProgram> {
  const words = [PROGRAM, 'signer'];
  const environment = {
    DATA_DIR: file('signer'),
    ENVIRONMENT: 'development',
    BASE_URL: '',
    DATABASE_URL: '',
    ...settings,
    ...own,
  };
  const signer = startProgram(environment, { args: words });
  await signer.printed(/The signer listens/);
  return signer;
}

/** Lets another process hold the key, which a new worker uses. It gets another intermediate certificate there, and is away for a while. */
async function moveKey(worker: RunningProcess): Promise<() => Promise<void>> {
  const tls = await makeTlsFiles(file('tls'), 'signer');
  const port = String(await freePort());
  const own = { ...tls.signer, SIGNER_PORT: port };
  let signer = await startSigner(own);
  const remote = await createInstallation({
    ...settings,
    ...tls.worker,
    DATA_DIR: installation.dataDir,
    SIGNING_KEY_FILE: '',
    SIGNING_REMOTE_URL: `https://127.0.0.1:${port}`,
  });
  await remote.work();
  await worker.end('SIGTERM');
  await untilNextIssuer(async () => {
    await writeIntermediate();
    process.kill(signer.pid, 'SIGHUP');
  });
  await signer.end('SIGTERM');
  const waiting = () => database.query("SELECT FROM version WHERE stage = 'signing'");
  await until('a file that waits for the signer', STALLED_MS, async () => ((await waiting()).length > 0 ? true : null));
  signer = await startSigner(own);
  return async () => {
    await remote.remove();
    await signer.end('SIGTERM');
  };
}

async function readSecretsAgain(web: RunningProcess): Promise<void> {
  require((await mailStatus(mailSecret)) !== 403, 'the secret for mail is refused');
  await write('mail-secret', '');
  await hangUp('serve', web);
  require((await mailStatus(mailSecret)) !== 403, 'an empty file ended the secret for mail');
  require((await logOf('serve')).includes('mail-secret is empty'), 'the log does not name the empty file');
  const changed = newKey();
  await write('mail-secret', changed);
  await hangUp('serve', web);
  require((await mailStatus(mailSecret)) === 403, 'the earlier secret for mail is accepted');
  require((await mailStatus(changed)) !== 403, 'the new secret for mail is refused');
}

/** Another address of the database, after one with a wrong password. */
async function changeDatabaseAddress(processes: Record<'serve' | 'worker', RunningProcess>): Promise<void> {
  const { port } = new URL(postgres.url);
  let connections = 0;
  const forwarder = createServer((socket) => {
    connections++;
    const target = connect(Number(port), '127.0.0.1');
    socket.pipe(target).pipe(socket);
    for (const each of [socket, target]) each.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(forwarder, 'listening');
  const use = async (change: Partial<URL>) => {
    await write('database-url', Object.assign(new URL(postgres.url), change).href);
    for (const [role, each] of Object.entries(processes)) await hangUp(role as 'serve' | 'worker', each);
  };
  await use({ password: 'wrong' });
  require((await logOf('worker')).includes('New settings cannot be used'), 'the log does not name a wrong address');
  await use({ port: String((forwarder.address() as AddressInfo).port) });
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'addons listen'`,
  );
  await until('connections to the new address', STEP_MS, async () => (connections >= 3 ? true : null));
}

try {
  await installation.run('migrate');
  // Where the checks of published files look for the root.
  await mkdir(join(installation.dataDir, 'ca'));
  await writeFile(join(installation.dataDir, 'ca/root.pem'), authorities.rootCertificate);
  const key = await installation.developer('uploader');
  await installation.developer('author');
  await importAddon(installation, 'author');
  const [web, worker] = await Promise.all([installation.serve(), installation.work()]);
  const load = startKeyLoad(installation, database, key);
  try {
    await replaceSecretKey(web, worker);
    await readSecretsAgain(web);
    await changeDatabaseAddress({ serve: web, worker });
    await untilNextIssuer(async () => {
      await writeIntermediate();
      await hangUp('worker', worker);
    });
    endSigner = await moveKey(worker);
  } catch (error) {
    problems.push(String(error));
  }
  const { reads, problems: failed } = await load.stop();
  console.log(`${reads} reads, ${failed.length} failed requests.`);
  const { ledger } = load;
  problems.push(...failed.slice(0, 20), ...(await checkInstallation({ installation, database, key, ledger })));
  require(!(await readFile(file('secret-key'), 'utf8')).includes(old), 'the secret key was not replaced');
} finally {
  await endSigner();
  await installation.remove({ keepFolder: problems.length > 0 });
  await database.close();
  await postgres.stop();
  if (problems.length === 0) await rm(home, { recursive: true, force: true });
}
console.log([problems.length === 0 ? 'PASS' : `FAIL; see ${installation.dataDir}`, ...problems].join('\n'));
process.exit(problems.length === 0 ? 0 : 1);
