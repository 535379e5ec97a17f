import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireSecretKey, requireSigningRoot } from '../auth/shared-keys.ts';
import { config } from '../config.ts';
import type { LogReport } from '../domain/activity/hash-chain.ts';
import { verifyAuditLog } from '../domain/activity/record-audit.ts';
import { countMails } from '../domain/mail/find-mails.ts';
import { refusedCollection } from '../domain/maintenance/collect-blobs.ts';
import { describeSizes } from '../domain/maintenance/database-sizes.ts';
import { currentProblems } from '../domain/maintenance/stored-file-problems.ts';
import { freeSpace } from '../domain/maintenance/watch-disk.ts';
import { countJobs } from '../domain/operation/find-jobs.ts';
import { livingWorkers } from '../domain/operation/worker-reports.ts';
import { searchableIndex } from '../domain/search/elasticsearch/maintain-index.ts';
import { tryIndex } from '../domain/search/elasticsearch/verify-index.ts';
import { verifySignatureLog } from '../domain/signature-log/signature-log.ts';
import { openConfiguredSigner } from '../domain/signing/open-signer.ts';
import { compileTrust } from '../http/client-address.ts';
import { storeFolder } from '../infra/blob-store/blob-store.ts';
import { blobs } from '../infra/blob-store/blobs.ts';
import { requireOwnStore } from '../infra/blob-store/installation.ts';
import { db, pool } from '../infra/db.ts';
import { pendingMigrations } from '../infra/migrations/migrate.ts';
import { rightsOverLogs } from '../infra/migrations/separate-roles.ts';
import { runPicture } from '../infra/pictures/picture-processes.ts';
import { requireUsableConnections } from '../infra/pooler.ts';
import { hasSearchServer } from '../infra/search-server/send-request.ts';
import { readRootPem } from '../infra/signer/root-certificate.ts';
import { storeProblem } from '../infra/staging/probe-store.ts';
import { UNTRUSTED_PROXY_ADVICE, untrustedProxy } from '../infra/untrusted-proxies.ts';
import { issuerOf } from '../package/signing/issuer.ts';
import { writeZip } from '../package/zip/write-zip.ts';
import { openValidator } from '../process/worker.ts';
import { CommandError, type Invocation, printResult } from './command.ts';
import { firstProblem } from './log.ts';
import { withDatabase } from './with-database.ts';

const OLDEST_NODE = 24;
const MAX_CLOCK_SKEW_MS = 5_000;
const SOON_MS = 30 * 86_400_000;

/** The result of a check. */
interface Finding {
  check: string;
  ok: boolean;
  /** Whether the operator should look at it, although the service works. */
  warning: boolean;
  text: string;
}

/** Checks one thing and returns a sentence about it, or a warning. @throws with instructions when it must be fixed. */
type Check = () => Promise<string | { warning: string }>;

/** Runs every check and prints the results. */
export async function runDoctor(invocation: Invocation): Promise<void> {
  const findings = [
    await examine('node', checkNode),
    await examine('settings', checkSettings),
    await examine('storage', checkStorage),
    await examine('disk', checkDisk),
    await examine('signing key', checkSigner),
    await examine('validator', checkValidator),
    await examine('pictures', checkPictures),
    ...(await examineDatabase()),
  ];
  const failed = findings.filter(({ ok }) => !ok);
  printResult(
    invocation,
    { ok: failed.length === 0, findings },
    ...findings.map((finding) => `${wordOf(finding)}  ${finding.check.padEnd(14)} ${finding.text}`),
  );
  if (failed.length > 0) throw new CommandError(`to be fixed: ${failed.map(({ check }) => check).join(', ')}`);
}

const wordOf = ({ ok, warning }: Finding): string => (warning ? 'warn ' : ok ? 'ok   ' : 'WRONG');

async function examine(check: string, look: Check): Promise<Finding> {
  try {
    const found = await look();
    return typeof found === 'string'
      ? { check, ok: true, warning: false, text: found }
      : { check, ok: true, warning: true, text: found.warning };
  } catch (error) {
    return { check, ok: false, warning: false, text: (error as Error).message.replaceAll('\n', ' ') };
  }
}

async function checkNode(): Promise<string> {
  const major = Number.parseInt(process.versions.node, 10);
  if (major < OLDEST_NODE) throw new Error(`Node ${process.versions.node} is too old; run it with npx or npm.`);
  return `Node ${process.versions.node}`;
}

async function checkSettings(): ReturnType<Check> {
  const { ENVIRONMENT, BASE_URL, DATA_DIR } = config;
  if (ENVIRONMENT === 'production' && BASE_URL.startsWith('http://')) {
    const warning = `${ENVIRONMENT}, ${BASE_URL}, ${DATA_DIR}; browsers and clients expect a BASE_URL that starts with https`;
    return { warning };
  }
  return `${ENVIRONMENT}, ${BASE_URL}, ${DATA_DIR}`;
}

async function checkStorage(): Promise<string> {
  const problem = await storeProblem();
  if (problem !== null && config.STORAGE === 's3') throw new Error(`${problem} (${blobs.location})`);
  if (problem !== null) throw new Error(`${problem}: ${storeFolder()} must belong to this user`);
  return `files can be written to ${blobs.location} and read again`;
}

async function checkDisk(): Promise<string> {
  const free = Math.floor(await freeSpace());
  if (free < config.LOW_DISK_MB) {
    throw new Error(`${free} MB are free; below ${config.LOW_DISK_MB} MB (LOW_DISK_MB) uploads are refused`);
  }
  return `${free} MB are free`;
}

async function checkSigner(): Promise<string> {
  const isMade = (await readRootPem()) !== null;
  if (!isMade && config.ENVIRONMENT !== 'production') return 'development CA, made at the first start';
  const signer = await openConfiguredSigner();
  const { nameText: name, notAfter } = issuerOf(signer);
  const end = notAfter.toISOString().slice(0, 10);
  if (notAfter.getTime() - Date.now() < SOON_MS) throw new Error(`${name} can sign only until ${end}: replace it`);
  return `${config.SIGNING_CHAIN_FILE ? '' : 'development CA, '}${name}, valid until ${end}`;
}

async function checkValidator(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'addons-doctor-'));
  const validator = openValidator();
  try {
    const path = join(folder, 'probe.xpi');
    const manifest = { manifest_version: 2, name: 'Probe', version: '1.0' };
    await writeZip(path, [{ name: 'manifest.json', data: Buffer.from(JSON.stringify(manifest)) }]);
    const found = await validator.validate(path, { type: 'extension', format: 'webextension', listed: false });
    if (found.outcome === 'error') throw new Error(`it gave no verdict: ${found.reason}, ${found.detail}`);
    const { network } = await validator.pool.isolation();
    const note = network === 'none' ? 'without network' : 'but this machine lets it reach the network';
    return `ready in ${Math.round(found.linterMs)} ms, ${note}`;
  } finally {
    await validator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkPictures(): Promise<string> {
  const path = join(import.meta.dirname, '../pages/img/addon-icon-64.png');
  const started = performance.now();
  const reply = await runPicture(path, [{ name: 'small', width: 32, height: 32, fit: 'inside' }]);
  if (reply.kind === 'flawed')
    throw new Error(`the service cannot read its placeholder picture: it is ${reply.flaw.kind}`);
  return `decoded and resized in ${Math.round(performance.now() - started)} ms`;
}

async function examineDatabase(): Promise<Finding[]> {
  const findings: Finding[] = [];
  const isEmbedded = config.DATABASE_URL === undefined;
  const connected = await examine('database', () =>
    withDatabase(async () => {
      const [row] = await db.$queryRaw<{ version: string }[]>`SELECT current_setting('server_version') AS version`;
      findings.push(await examine('migrations', checkMigrations));
      findings.push(await examine('clock', checkClock));
      findings.push(await examine('shared keys', checkSharedKeys));
      findings.push(await examine('installation', checkInstallation));
      findings.push(await examine('stored files', checkStoredFiles));
      findings.push(await examine('collection', checkCollection));
      findings.push(await examine('sizes', describeSizes));
      findings.push(await examine('signature log', checkLog(verifySignatureLog, 'certificates')));
      findings.push(await examine('audit log', checkLog(verifyAuditLog, 'entries')));
      if (config.DATABASE_SESSION_URL !== undefined) findings.push(await examine('pooler', checkPooler));
      findings.push(await examine('log rights', () => checkLogRights(isEmbedded)));
      findings.push(await examine('workers', checkWorkers));
      findings.push(await examine('jobs', checkJobs));
      findings.push(await examine('mail', checkMail));
      findings.push(await examine('proxies', checkProxies));
      if (hasSearchServer()) findings.push(await examine('search server', checkSearchServer));
      return `PostgreSQL ${row?.version}`;
    }, 'unchecked'),
  );
  return [connected, ...findings];
}

async function checkSearchServer(): Promise<string> {
  const index = await searchableIndex();
  if (index === null)
    throw new Error('it has no index that can be searched; a worker makes one, or run: npx addons reindex');
  await tryIndex(index);
  return `${index} is searched`;
}

async function checkMigrations(): Promise<string> {
  const pending = await pendingMigrations(config.DATABASE_URL ?? '');
  if (pending.length > 0) throw new Error(`${pending.join(', ')} not applied; run: npx addons migrate`);
  return 'all applied';
}

async function checkClock(): Promise<string> {
  const before = Date.now();
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  const skew = Math.abs((row?.now.getTime() ?? 0) - (before + Date.now()) / 2);
  if (skew > MAX_CLOCK_SKEW_MS) {
    throw new Error(`the database's clock is ${Math.round(skew / 1000)} s away from this machine's; set both by NTP`);
  }
  return `${Math.round(skew)} ms between this machine and the database`;
}

async function checkSharedKeys(): Promise<string> {
  await requireSecretKey();
  const rootPem = await readRootPem();
  if (rootPem !== null) await requireSigningRoot(rootPem, 'serves');
  return 'secret key and signing root are those of the installation';
}

async function checkInstallation(): Promise<string> {
  const { database } = await requireOwnStore();
  return `database and file store are of installation ${database}`;
}

async function checkCollection(): Promise<string> {
  const refused = await refusedCollection();
  if (refused === null) return 'the last one removed what no row references';
  throw new Error(
    `it would remove ${refused.unreferenced} of ${refused.stored} files, so it removes none; if DATABASE_URL and DATA_DIR are the right ` +
      'ones and no backup is to be restored, run: npx addons storage collect --confirm',
  );
}

async function checkStoredFiles(): Promise<string> {
  const [first, ...others] = await currentProblems();
  if (first === undefined) return 'no file is known to be lost or damaged';
  const { sha256, problem } = first;
  throw new Error(
    `${1 + others.length} are lost or damaged, the first is ${sha256} (${problem}); restore each from a backup to its path in ` +
      blobs.location,
  );
}

const checkLog = (verify: () => Promise<LogReport>, unit: string) => async (): Promise<string> => {
  const report = await verify();
  const problem = firstProblem(report);
  if (problem !== null) throw new Error(problem);
  return `${report.entries} ${unit}, the chain is whole`;
};

async function checkLogRights(isEmbedded: boolean): Promise<string | { warning: string }> {
  const rights = await rightsOverLogs(async (sql, values) => (await pool.query(sql, values)).rows);
  if (rights === null) return 'the role of this service may only append to the logs';
  if (isEmbedded) return `${rights}: the embedded database has one role`;
  return { warning: `${rights}, so it could change the logs; migrate as another role (MIGRATE_DATABASE_URL)` };
}

async function checkPooler(): ReturnType<Check> {
  const warning = await requireUsableConnections();
  return warning === null ? 'DATABASE_URL leads through one, DATABASE_SESSION_URL keeps sessions' : { warning };
}

async function checkWorkers(): ReturnType<Check> {
  const workers = await livingWorkers();
  if (workers.length === 0) return { warning: 'none is alive, so nothing is validated, signed or mailed' };
  const failing = workers.filter(({ isValidatorReady }) => isValidatorReady === false).map(({ host }) => host);
  if (failing.length > 0) throw new Error(`the validators do not start on ${failing.join(', ')}; its log says why`);
  return `${workers.length} alive`;
}

async function checkJobs(): ReturnType<Check> {
  const { count, isExact } = await countJobs({ states: ['failed'] });
  if (count === 0) return 'none has failed for good';
  return { warning: `${isExact ? '' : 'more than '}${count} failed for good (addons jobs list)` };
}

async function checkMail(): Promise<string> {
  const [waiting, failed] = await Promise.all([countMails({ state: 'queued' }), countMails({ state: 'failed' })]);
  const server = config.SMTP_URL === undefined ? 'SMTP_URL is not set, so mails wait' : 'SMTP_URL is set';
  return `${server}; ${waiting} wait, ${failed} failed for good (addons mail list)`;
}

async function checkProxies(): ReturnType<Check> {
  const { TRUSTED_PROXIES: trusted } = config;
  const peer = await untrustedProxy();
  if (peer !== null && !compileTrust(trusted)(peer))
    return { warning: `${peer} sent it in the last day: ${UNTRUSTED_PROXY_ADVICE}` };
  return trusted.length === 0 ? 'none is trusted, and none was seen' : `${trusted.join(', ')} are trusted`;
}
