/*
 * Checkpoints of the logs: signed notes with the size and the newest hash of the signature log, as of transparency logs (C2SP
 * tlog-checkpoint), and the newest hash of the audit log in an extension line. Its size is not published. Each hash covers all
 * entries up to it, so that a log which lacks the entry of a checkpoint has lost or changed entries.
 */
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { recordedLogKey, requireLogKey } from '../../auth/shared-keys.ts';
import { config } from '../../config.ts';
import { db } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { openLogKey, readLogKey } from '../../infra/log-key.ts';
import { NoteError, openNote, readVerifierKey, signNote, verifierKey } from '../../infra/signed-note.ts';
import { syncFolder } from '../../infra/sync-folder.ts';
import type { ExpectedEntry } from './hash-chain.ts';

/** A log of this installation. */
type LogName = 'audit' | 'signature';

/** Sizes and newest hashes (hex) of the logs at one moment. */
interface Checkpoint {
  size: bigint;
  hash: string;
  auditHash: string;
}

/** The logs lack entries that a checkpoint or their heads name. No checkpoint is signed then. */
class LogsChangedError extends Error {
  override readonly name = 'LogsChangedError';
}

const AUDIT_LINE = 'audit-log';
const BODY = /^(\S+)\n(\d{1,19})\n([A-Za-z0-9+/]{43}=)\naudit-log ([A-Za-z0-9+/]{43}=)\n$/;

/** Where the newest checkpoint is written to. */
export const checkpointFile = (): string => config.LOG_CHECKPOINT_FILE ?? join(config.DATA_DIR, 'log.checkpoint');

/** The name of the logs in checkpoints: the address of the signature log without its scheme. */
const origin = (): string => `${config.BASE_URL.replace(/^https?:\/\//, '')}/signing/log`;

const toBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
const toHex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

const textOf = ({ size, hash, auditHash }: Checkpoint): string =>
  `${origin()}\n${size}\n${toBase64(hash)}\n${AUDIT_LINE} ${toBase64(auditHash)}\n`;

/** Reads a checkpoint that `key` has signed. @throws {NoteError} if it is none. */
function readCheckpoint(note: string, key: KeyObject): Checkpoint {
  const [, , size = '', hash = '', auditHash = ''] = BODY.exec(openNote(note, key)) ?? [];
  if (size === '') throw new NoteError('It is no checkpoint of the logs.');
  return { size: BigInt(size), hash: toHex(hash), auditHash: toHex(auditHash) };
}

async function newestNote(): Promise<string | null> {
  const row = await db.logCheckpoint.findFirst({ orderBy: { id: 'desc' }, select: { note: true } });
  return row?.note ?? null;
}

/** The newest checkpoint, for clients; null before the first. */
export const publishedCheckpoint = newestNote;

/** The public key of checkpoints in the form that verifiers of signed notes read; null before the first checkpoint. */
export async function checkpointKey(): Promise<string | null> {
  const recorded = await recordedLogKey();
  return recorded === null ? null : `${verifierKey(origin(), readVerifierKey(recorded))}\n`;
}

/** Checkpoints to compare a log with, in addition to those of the installation. */
export interface GivenCheckpoints {
  files?: string[];
  /** The key that has signed them, as a verifier key. */
  key?: string | undefined;
}

interface SourcedNote {
  source: string;
  note: string;
}

/** The stored checkpoint, that of the file, and those of other files. */
async function knownNotes(files: readonly string[]): Promise<SourcedNote[]> {
  const stored = await newestNote();
  const own = checkpointFile();
  const paths = existsSync(own) ? [own, ...files] : files;
  return [
    ...(stored === null ? [] : [{ source: 'the newest checkpoint of the database', note: stored }]),
    ...paths.map((path) => ({ source: `the checkpoint ${path}`, note: readFileSync(path, 'utf8') })),
  ];
}

/** The key given, else that of this host, which changes of the database do not reach, else that of the database. */
async function publicKey(given?: string): Promise<KeyObject> {
  const own = given === undefined ? readLogKey() : null;
  if (own !== null) return own;
  const recorded = given ?? (await recordedLogKey());
  if (recorded === null) throw new NoteError('There is no key that verifies checkpoints; name it with --key.');
  return readVerifierKey(recorded);
}

/**
 * The entries that a log must have: that of its head, which a trigger keeps, and those of checkpoints.
 * @throws {NoteError} when a checkpoint is not signed by this installation.
 */
export async function expectedEntries(
  log: LogName,
  { files = [], key }: GivenCheckpoints = {},
): Promise<ExpectedEntry[]> {
  const head = await db.logHead.findUnique({ where: { log } });
  const ofHead = head === null ? [] : [{ source: 'the head of the log', hash: head.hash, size: head.size }];
  const notes = await knownNotes(files);
  if (notes.length === 0) return ofHead;
  const verifier = await publicKey(key);
  return [...ofHead, ...notes.map(({ source, note }) => entryOf(log, source, note, verifier))];
}

function entryOf(log: LogName, source: string, note: string, key: KeyObject): ExpectedEntry {
  try {
    const { size, hash, auditHash } = readCheckpoint(note, key);
    return log === 'audit' ? { source, hash: auditHash } : { source, hash, size };
  } catch (error) {
    if (error instanceof NoteError) error.message = `${source}: ${error.message}`;
    throw error;
  }
}

interface LogState {
  size: bigint;
  hash: string;
  auditHash: string;
  agrees: boolean;
}

// One statement, so that all values are of one moment.
const STATE = `
  WITH audit AS (SELECT count(*) AS size FROM audit_entry), signature AS (SELECT count(*) AS size FROM signing_certificate),
    newest AS (SELECT coalesce((SELECT hash FROM audit_entry ORDER BY id DESC LIMIT 1), repeat('0', 64)) AS audit,
                      coalesce((SELECT hash FROM signing_certificate ORDER BY id DESC LIMIT 1), repeat('0', 64)) AS signature)
  SELECT signature.size, newest.signature AS hash, newest.audit AS "auditHash",
    EXISTS (SELECT FROM log_head h WHERE h.log = 'audit' AND h.size = audit.size AND h.hash = newest.audit)
    AND EXISTS (SELECT FROM log_head h WHERE h.log = 'signature' AND h.size = signature.size AND h.hash = newest.signature)
      AS agrees
  FROM audit, signature, newest`;

async function contains({ size, hash, auditHash }: Checkpoint): Promise<boolean> {
  const [row] = await db.$queryRaw<{ number: bigint; isInAudit: boolean }[]>`
    SELECT (SELECT count(*) FROM signing_certificate WHERE id <= (SELECT id FROM signing_certificate WHERE hash = ${hash})) AS number,
      EXISTS (SELECT FROM audit_entry WHERE hash = ${auditHash}) OR ${auditHash} = repeat('0', 64) AS "isInAudit"`;
  return row?.number === size && row.isInAudit;
}

/**
 * Signs the present state of the logs, stores it and writes it to `checkpointFile`. Returns the signed note: the newest one if
 * the logs have not changed since.
 * @throws {LogsChangedError} when the logs have lost entries.
 */
export async function signCheckpoint(): Promise<string> {
  const key = openLogKey();
  await requireLogKey(key);
  const notes = await knownNotes([]);
  const [state] = await db.$queryRawUnsafe<LogState[]>(STATE);
  if (state === undefined || !state.agrees) {
    throw new LogsChangedError('The logs and their heads differ. Run: npx addons audit verify; npx addons log verify');
  }
  for (const { source, note } of notes) {
    if (await contains(readCheckpoint(note, key))) continue;
    throw new LogsChangedError(`The logs do not have the entries of ${source}. Run: npx addons audit verify`);
  }
  const text = textOf(state);
  const unchanged = notes.find(({ note }) => note.startsWith(`${text}\n`));
  const note = unchanged?.note ?? signNote(text, origin(), key);
  if (unchanged === undefined) await db.logCheckpoint.create({ data: { note } });
  await writeCheckpoint(note);
  return note;
}

/** Signs a checkpoint. A refusal needs an operator, so that the job does not try again before its next occurrence. */
export async function signHourlyCheckpoint(): Promise<void> {
  try {
    await signCheckpoint();
  } catch (error) {
    log.alert({ err: error }, 'No checkpoint of the logs was signed.');
  }
}

/** The same unless there is a checkpoint, so that a new installation has one within a minute. */
export async function signFirstCheckpoint(): Promise<void> {
  if ((await newestNote()) === null) await signHourlyCheckpoint();
}

async function writeCheckpoint(note: string): Promise<void> {
  const path = checkpointFile();
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, note, { flush: true });
  await rename(draft, path);
  await syncFolder(dirname(path));
}
