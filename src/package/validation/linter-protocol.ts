/**
 * What the pool and a linter process say to each other. Both ends live in this folder, but the process reads hostile
 * packages: everything that comes back is `unknown` until `readReport` has looked at it.
 */

/** How one package is to be linted. `selfHosted` drops the rules that hold only for listed add-ons. */
export type LinterSettings = { selfHosted: boolean; messageLimit: number };

/** One package for the process to lint. `path` lies inside the only folder that the process may read. */
export type LinterRequest = { id: number; path: string; settings: LinterSettings };

/**
 * The process says `ready` once, after its warm-up. To each request it answers `report` or `refused`, and then `idle` when
 * it has collected its garbage; `rss` is the memory it still holds, in bytes.
 */
export type LinterReply =
  | { kind: 'ready' }
  | { kind: 'report'; id: number; report: unknown }
  | { kind: 'refused'; id: number; reason: string }
  | { kind: 'idle'; id: number; rss: number };

/** A message as the linter words it; `code` becomes the message's id. */
export type LinterMessage = Record<string, unknown> & { _type: 'error' | 'warning' | 'notice'; code: string };

/** Counts are of all messages found; `messages` holds the first `messageLimit` of them, errors first. */
export type LinterReport = {
  errors: number;
  warnings: number;
  notices: number;
  metadata: Record<string, unknown>;
  messages: LinterMessage[];
};

/** Why a run has no verdict. `refused` is the linter giving up on the package, the others are trouble of the machine. */
export type LinterFailure = 'timeout' | 'memory' | 'crash' | 'refused' | 'malformed' | 'unavailable';

/** Result of a run: a report that can be trusted to be complete, or the reason why there is none. `ms` is the linter's time. */
export type LinterOutcome =
  | { ok: true; report: LinterReport; ms: number }
  | { ok: false; reason: LinterFailure; detail: string; ms: number };

/** `value` as a report, or null when it is not one: no run may count as clean because a number was missing. */
export function readReport(value: unknown, messageLimit: number): LinterReport | null {
  if (!isRecord(value) || !isCount(value.errors) || !isCount(value.warnings) || !isCount(value.notices)) return null;
  const { errors, warnings, notices, messages } = value;
  if (!Array.isArray(messages) || !messages.every(isMessage)) return null;
  if (messages.length !== Math.min(errors + warnings + notices, messageLimit)) return null;
  if (messages.filter((message) => message._type === 'error').length !== Math.min(errors, messageLimit)) return null;
  // The linter leaves metadata out when it cannot open the archive, which it then reports as an error.
  if (!isRecord(value.metadata) && !(value.metadata === null && errors > 0)) return null;
  return { errors, warnings, notices, metadata: value.metadata ?? {}, messages };
}

/** Whether `value` is an object with keys (not null, not a list). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isMessage(value: unknown): value is LinterMessage {
  if (!isRecord(value) || typeof value.code !== 'string') return false;
  return value._type === 'error' || value._type === 'warning' || value._type === 'notice';
}
