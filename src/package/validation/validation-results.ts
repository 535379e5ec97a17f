/**
 * The `validation_results` object that an upload carries (contract, Upload status): the linter's report, merged with
 * what the service itself found, in the shape that signing clients and the validation page read. It is stored as JSON
 * in the database, so every text in it is free of NUL and of half characters, which a `jsonb` column refuses.
 */

import { randomUUID } from 'node:crypto';
import { englishText, type Message, message } from '../../texts/messages.ts';
import type { AddonType } from '../enums.ts';
import type { UnresolvedText } from '../manifest/package-manifest.ts';
import { isRecord, type LinterFailure, type LinterMessage, type LinterReport } from './linter-protocol.ts';

/** Messages kept of one package. The counts in the results are of all messages. */
export const MESSAGE_LIMIT = 2000;

const TEXT_LIMIT = 4000;
const LIST_LIMIT = 1000;
const DEPTH_LIMIT = 5;

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** One finding. `line` and `column` count from the linter's first line and column; null where a finding has no place. */
export type ValidationMessage = {
  id: string[];
  type: 'error' | 'warning' | 'notice';
  message: string;
  description: string | string[];
  tier: number;
  uid: string;
  compatibility_type: null;
  file: string | null;
  line: number | null;
  column: number | null;
  instancePath?: string;
  dataPath?: string;
  /** `message` and `description` of the service's own messages as codes; not part of `validation_results` in REST. */
  reason?: Message;
  explanation?: Message;
};

export type ValidationResults = {
  success: boolean;
  errors: number;
  warnings: number;
  notices: number;
  compatibility_summary: { errors: number; warnings: number; notices: number };
  metadata: { [key: string]: Json };
  messages: ValidationMessage[];
  message_tree: { [key: string]: Json };
  detected_type: AddonType;
  ending_tier: number;
};

/** Facts about the package in the results. */
export type PackageFacts = { type: AddonType; format: 'webextension' | 'install-rdf' | 'opensearch'; listed: boolean };

type Finding = Pick<ValidationMessage, 'id' | 'type' | 'message' | 'description'> & Partial<ValidationMessage>;

/** Results of a package that the linter has looked at; `found` are errors and warnings of the service. */
export function linterResults(
  facts: PackageFacts,
  report: LinterReport,
  found: ValidationMessage[],
): ValidationResults {
  const { errors, warnings, notices } = report;
  const results = emptyResults(facts, plainObject(report.metadata));
  const foundErrors = found.filter(({ type }) => type === 'error').length;
  return {
    ...results,
    ...withCounts(errors + foundErrors, warnings + found.length - foundErrors, notices),
    messages: [...found, ...report.messages.map(fromLinter)].slice(0, MESSAGE_LIMIT),
  };
}

/** The identifiers of the messages of the service. Each has a name on pages, `validation.rule.<identifier>`. */
export const OWN_RULES = {
  legacy: ['validation', 'messages', 'legacy_package'],
  failed: ['validator', 'unexpected_exception'],
  secret: ['validation', 'messages', 'api_key_in_package'],
  unresolved: ['validation', 'messages', 'unresolved_message'],
};

/** Results of a package in a format older than the linter reads; `found` are errors of the service. */
export function legacyResults(facts: PackageFacts, found: ValidationMessage[]): ValidationResults {
  const warning = ownMessage({
    id: OWN_RULES.legacy,
    type: 'warning',
    reason: message('validation.legacy'),
    explanation: message('validation.legacy_explained'),
  });
  return {
    ...emptyResults(facts),
    ...withCounts(found.length, 1, 0),
    messages: [...found, warning].slice(0, MESSAGE_LIMIT),
  };
}

/** Results of a validation without a verdict. They count as failed, because nothing unvalidated may look valid. */
export function unexpectedResults(facts: PackageFacts, reason: LinterFailure): ValidationResults {
  const error = ownMessage({
    id: OWN_RULES.failed,
    type: 'error',
    reason: message('validation.not_loaded'),
    explanation: message(`validation.failed_${reason}`),
  });
  return { ...emptyResults(facts), ...withCounts(1, 0, 0), messages: [error] };
}

/** The error for a file of the package that contains an API secret of the uploader. The secret is not repeated. */
export function secretFound(file: string): ValidationMessage {
  return ownMessage({
    id: OWN_RULES.secret,
    type: 'error',
    reason: message('validation.secret_found'),
    explanation: message('validation.secret_found_explained'),
    file: wellFormed(file),
  });
}

/** The warning for a text of the manifest that refers to a missing message. */
export function unresolvedText({ key, reference }: UnresolvedText): ValidationMessage {
  return ownMessage({
    id: OWN_RULES.unresolved,
    type: 'warning',
    reason: message('validation.unresolved_text', { key, reference: wellFormed(reference) }),
    explanation: message('validation.unresolved_text_explained'),
    file: 'manifest.json',
  });
}

function emptyResults(facts: PackageFacts, linterMetadata?: { [key: string]: Json }): ValidationResults {
  return {
    ...withCounts(0, 0, 0),
    compatibility_summary: { errors: 0, warnings: 0, notices: 0 },
    metadata: {
      ...linterMetadata,
      listed: facts.listed,
      is_webextension: facts.format === 'webextension',
      processed_by_addons_linter: linterMetadata !== undefined,
      identified_files: identifiedFiles(linterMetadata?.jsLibs),
    },
    messages: [],
    message_tree: {},
    detected_type: facts.type,
    ending_tier: 5,
  };
}

function withCounts(errors: number, warnings: number, notices: number) {
  return { success: errors === 0, errors, warnings, notices };
}

/** Known libraries in the package: name to the path of the file. The linter gives them as path to name. */
function identifiedFiles(libraries: Json | undefined): { [key: string]: Json } {
  if (!isRecord(libraries)) return {};
  return Object.fromEntries(Object.entries(libraries).map(([path, name]) => [String(name), { path }]));
}

function fromLinter(found: LinterMessage): ValidationMessage {
  const text = (value: unknown) => (typeof value === 'string' ? wellFormed(value) : undefined);
  const place = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : null);
  const { description } = found;
  const instancePath = text(found.instancePath);
  const dataPath = text(found.dataPath);
  return {
    ...complete({
      id: [wellFormed(found.code)],
      type: found._type,
      message: text(found.message) ?? '',
      description: Array.isArray(description) ? description.map(String).map(wellFormed) : (text(description) ?? ''),
      file: text(found.file) ?? null,
      line: place(found.line),
      column: place(found.column),
    }),
    ...(instancePath === undefined ? {} : { instancePath }),
    ...(dataPath === undefined ? {} : { dataPath }),
  };
}

/** A message of the service, whose English texts are those of its codes. */
function ownMessage(
  finding: Pick<ValidationMessage, 'id' | 'type'> & { reason: Message; explanation: Message; file?: string },
): ValidationMessage {
  const { reason, explanation } = finding;
  return complete({ ...finding, message: englishText(reason), description: englishText(explanation) });
}

function complete(finding: Finding): ValidationMessage {
  return {
    tier: 1,
    uid: randomUUID().replaceAll('-', ''),
    compatibility_type: null,
    file: null,
    line: null,
    column: null,
    ...finding,
  };
}

function plainObject(value: Record<string, unknown>): { [key: string]: Json } {
  const entries = Object.entries(value).slice(0, LIST_LIMIT);
  return Object.fromEntries(entries.map(([key, item]) => [wellFormed(key), plain(item, 1)]));
}

/** `value` as JSON of bounded size; too long or deep parts are cut, other values than those of JSON become null. */
function plain(value: unknown, depth: number): Json {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (depth > DEPTH_LIMIT) return null;
  if (Array.isArray(value)) return value.slice(0, LIST_LIMIT).map((item) => plain(item, depth + 1));
  if (!isRecord(value)) return null;
  const entries = Object.entries(value).slice(0, LIST_LIMIT);
  return Object.fromEntries(entries.map(([key, item]) => [wellFormed(key), plain(item, depth + 1)]));
}

/** `text` without NUL and lone surrogates, at most `TEXT_LIMIT` UTF-16 units. */
function wellFormed(text: string): string {
  return text.slice(0, TEXT_LIMIT).replaceAll('\0', '\uFFFD').toWellFormed();
}
