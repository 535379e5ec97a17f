/* Messages between the pool and a linter process, whose replies are `unknown` until `readVerdict` has checked them. */
import type { ProcessFailure } from '../../infra/process-pool/pooled-process.ts';

/** `selfHosted` drops the rules of listed add-ons, `privileged` adds those of privileged ones. */
export type LinterSettings = { selfHosted: boolean; privileged?: boolean; messageLimit: number };

/** A package to lint. `path` lies inside the folder of the process. */
export type LinterRequest = { path: string; settings: LinterSettings };

export type LinterReply = { kind: 'report'; report: unknown } | { kind: 'refused'; reason: string };

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

/** Why a run has no verdict. `refused` means that the linter gave up on the package. */
export type LinterFailure = ProcessFailure | 'refused' | 'malformed';

/** A complete report, or the reason why there is none. `detail` is for the log. */
type LinterVerdict = { ok: true; report: LinterReport } | { ok: false; reason: LinterFailure; detail: string };

/** `ms` is the time that the package occupied a linter process. */
export type LinterOutcome = LinterVerdict & { ms: number };

/** What the reply of a linter process says about a package. */
export function readVerdict(reply: unknown, messageLimit: number): LinterVerdict {
  if (!isRecord(reply)) return { ok: false, reason: 'malformed', detail: 'The reply of the linter is no object.' };
  if (reply.kind === 'refused') return { ok: false, reason: 'refused', detail: String(reply.reason).slice(0, 500) };
  const report = readReport(reply.report, messageLimit);
  if (report) return { ok: true, report };
  return { ok: false, reason: 'malformed', detail: 'The report of the linter is incomplete.' };
}

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
