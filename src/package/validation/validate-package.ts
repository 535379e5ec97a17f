import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { UnresolvedText } from '../manifest/package-manifest.ts';
import { readArchiveManifest } from '../manifest/read-package.ts';
import { readEntries } from '../zip/read-entries.ts';
import { openZip } from '../zip/read-zip.ts';
import type { ZipEntry } from '../zip/zip-archive.ts';
import { LinterPool, type LinterPoolOptions } from './linter-pool.ts';
import type { LinterFailure } from './linter-protocol.ts';
import {
  legacyResults,
  linterResults,
  MESSAGE_LIMIT,
  type PackageFacts,
  secretFound,
  unexpectedResults,
  unresolvedText,
  type ValidationMessage,
  type ValidationResults,
} from './validation-results.ts';

/** Shorter texts are no secrets and would match everywhere. */
const MIN_SECRET_LENGTH = 16;

/**
 * Names of the files in the package at `path` that contain one of `secrets` as plain bytes, in the order of the archive.
 * Memory use does not depend on the size of the files. An OpenSearch package is one XML file, returned by its name. Throws PackageError when the archive cannot be read completely.
 */
export async function findSecrets(path: string, format: string, secrets: readonly string[]): Promise<string[]> {
  const needles = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH).map((secret) => Buffer.from(secret));
  if (needles.length === 0) return [];
  if (format === 'opensearch') return holdsAny(needles, await readFile(path)) ? [basename(path)] : [];
  const search = new PieceSearch(needles);
  const archive = await openZip(path, { container: 'packed', visit: (entry, piece) => search.look(entry, piece) });
  await archive.close();
  return archive.entries.filter((entry) => search.found.has(entry)).map(({ name }) => name);
}

function holdsAny(needles: readonly Buffer[], bytes: Buffer): boolean {
  return needles.some((needle) => bytes.includes(needle));
}

/** Searches for byte strings in files that arrive in pieces, one file after the other; matches may span two pieces. */
class PieceSearch {
  readonly found = new Set<ZipEntry>();
  readonly #needles: readonly Buffer[];
  readonly #overlap: number;
  #entry: ZipEntry | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(needles: readonly Buffer[]) {
    this.#needles = needles;
    this.#overlap = Math.max(...needles.map(({ length }) => length)) - 1;
  }

  look(entry: ZipEntry, piece: Buffer): void {
    const before = entry === this.#entry ? this.#tail : Buffer.alloc(0);
    this.#entry = entry;
    const seam = Buffer.concat([before, piece.subarray(0, this.#overlap)]);
    if (holdsAny(this.#needles, piece) || holdsAny(this.#needles, seam)) this.found.add(entry);
    // A copy, because the piece must not be kept; it may be shorter than the overlap.
    const last = piece.subarray(-this.#overlap);
    this.#tail = Buffer.concat([before, last]).subarray(-this.#overlap);
  }
}

/**
 * Validation of a package whose structure was checked at upload. It fails closed: a package `passed` only with a complete
 * report of the linter without errors. A linter that crashed, hung or did not start is an `error`.
 */

/** What is to be validated. `apiSecrets` are the uploader's own, which must not be inside the package; an experiment follows the rules of privileged add-ons. */
type ValidationRequest = PackageFacts & { apiSecrets?: readonly string[]; isExperiment?: boolean };

/** `reason` and `detail` of an `error` are for the log, `results` for the developer. `linterMs` is the time of the linter. */
export type PackageValidation =
  | { outcome: 'passed' | 'failed'; results: ValidationResults; linterMs: number }
  | { outcome: 'error'; results: ValidationResults; linterMs: number; reason: LinterFailure; detail: string };

export interface Validator {
  /** Validates the package file at `path` when a linter process is free. Never rejects because of the package. */
  validate(path: string, request: ValidationRequest): Promise<PackageValidation>;
  /** Starts the linter processes ahead of the first package. */
  warm(): Promise<void>;
  /** The linter processes, for health reports and tests. */
  readonly pool: LinterPool;
  /** Ends the linter processes; validations under way end as `error`. */
  close(): Promise<void>;
}

/** Makes a validator with its own linter processes; see `LinterPoolOptions` for limits and their defaults. */
export function createValidator(options: Partial<LinterPoolOptions> = {}): Validator {
  const pool = new LinterPool(options);
  return {
    pool,
    validate: (path, request) => validate(pool, path, request),
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}

async function validate(pool: LinterPool, path: string, request: ValidationRequest): Promise<PackageValidation> {
  const settings = {
    selfHosted: !request.listed,
    privileged: request.isExperiment === true,
    messageLimit: MESSAGE_LIMIT,
  };
  const [searched, run] = await Promise.all([
    search(path, request),
    request.format === 'webextension' ? pool.run(path, settings) : null,
  ]);
  const linterMs = run?.ms ?? 0;
  if (!searched.ok) return noVerdict(request, 'unavailable', searched.detail, linterMs);
  if (run === null) return verdict(legacyResults(request, searched.found), linterMs);
  if (!run.ok) return noVerdict(request, run.reason, run.detail, linterMs);
  return verdict(linterResults(request, run.report, searched.found), linterMs);
}

type Search = { ok: true; found: ValidationMessage[] } | { ok: false; detail: string };

/** The files with a secret of the uploader, as errors, texts without messages, as warnings, or why the package could not be searched. */
async function search(path: string, { format, apiSecrets = [] }: ValidationRequest): Promise<Search> {
  try {
    const secrets = (await findSecrets(path, format, apiSecrets)).map(secretFound);
    const unresolved = format === 'webextension' ? await findUnresolvedTexts(path) : [];
    return { ok: true, found: [...secrets, ...unresolved.map(unresolvedText)] };
  } catch (error) {
    return { ok: false, detail: `The package cannot be searched: ${String(error)}` };
  }
}

function verdict(results: ValidationResults, linterMs: number): PackageValidation {
  return { outcome: results.errors === 0 ? 'passed' : 'failed', results, linterMs };
}

/** The outcome of a validation that could not take place. */
export function noVerdict(
  request: PackageFacts,
  reason: LinterFailure,
  detail: string,
  linterMs: number,
): PackageValidation {
  return { outcome: 'error', results: unexpectedResults(request, reason), linterMs, reason, detail };
}

const MANIFEST = 'manifest.json';
const MAX_MANIFEST_BYTES = 1024 * 1024;

/**
 * Texts of the manifest at `path`, a verified WebExtension, that refer to missing messages. Reads the manifest alone if it has no
 * reference. Throws PackageError when the archive cannot be read.
 */
async function findUnresolvedTexts(path: string): Promise<UnresolvedText[]> {
  const limits = { fileBytes: MAX_MANIFEST_BYTES, totalBytes: MAX_MANIFEST_BYTES };
  const contents = await readEntries(path, new Set([MANIFEST]), limits);
  if (!contents.get(MANIFEST)?.includes('__MSG_')) return [];
  const archive = await openZip(path, { container: 'packed' });
  try {
    return (await readArchiveManifest(archive)).unresolvedTexts;
  } finally {
    await archive.close();
  }
}
