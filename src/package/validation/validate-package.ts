import type { UnresolvedText } from '../manifest/package-manifest.ts';
import { readArchiveManifest } from '../manifest/read-package.ts';
import { readEntries } from '../zip/read-entries.ts';
import { openZip } from '../zip/read-zip.ts';
import { findSecrets } from './find-secrets.ts';
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

/**
 * Validation of a package whose structure was checked at upload. It fails closed: a package `passed` only with a complete
 * report of the linter without errors. A linter that crashed, hung or did not start is an `error`.
 */

/** What is to be validated. `apiSecrets` are the uploader's own, which must not be inside the package; an experiment follows the rules of privileged add-ons. */
export type ValidationRequest = PackageFacts & { apiSecrets?: readonly string[]; isExperiment?: boolean };

/** `reason` and `detail` of an `error` are for the log, `results` for the developer. `linterMs` is the time of the linter. */
export type Validation =
  | { outcome: 'passed' | 'failed'; results: ValidationResults; linterMs: number }
  | { outcome: 'error'; results: ValidationResults; linterMs: number; reason: LinterFailure; detail: string };

export interface Validator {
  /** Validates the package file at `path` when a linter process is free. Never rejects because of the package. */
  validate(path: string, request: ValidationRequest): Promise<Validation>;
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

async function validate(pool: LinterPool, path: string, request: ValidationRequest): Promise<Validation> {
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

function verdict(results: ValidationResults, linterMs: number): Validation {
  return { outcome: results.errors === 0 ? 'passed' : 'failed', results, linterMs };
}

/** The outcome of a validation that could not take place. */
export function noVerdict(request: PackageFacts, reason: LinterFailure, detail: string, linterMs: number): Validation {
  return { outcome: 'error', results: unexpectedResults(request, reason), linterMs, reason, detail };
}

const MANIFEST = 'manifest.json';
const MAX_MANIFEST_BYTES = 1024 * 1024;

/**
 * Texts of the manifest at `path`, a verified WebExtension, that refer to missing messages. Reads the manifest alone if it has no
 * reference. Throws PackageError when the archive cannot be read.
 */
export async function findUnresolvedTexts(path: string): Promise<UnresolvedText[]> {
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
