import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { InvalidInputError } from '../errors.ts';
import { receiveFile, tooLarge, UPLOAD_LIMIT_BYTES } from '../infra/staging/staging.ts';
import type { StagedFile, UploadedFile } from '../infra/staging/uploaded-file.ts';
import { type Message, message } from '../texts/messages.ts';

/** The names of the parts that a route reads. Other parts are skipped. */
export interface FormParts {
  file: string | null;
  fields: readonly string[];
  /** Maximum size of the file, in bytes; that of a package by default. */
  limitBytes?: number;
  /** Maximum size of the whole form, in bytes; by default that of the file and FORM_OVERHEAD_BYTES. */
  totalBytes?: number;
  /** Makes the error for a larger file or form. */
  tooLarge?: (limitBytes: number) => InvalidInputError;
  /** Gets the fields as they arrive, for callers that need those before a refused file. */
  received?: Map<string, string>;
}

/** A form. The caller discards the staged file unless the operation took it over. */
export interface Form {
  file: (UploadedFile & { staged: StagedFile }) | null;
  fields: ReadonlyMap<string, string>;
  /** Why there is no file, where the request shows it. */
  fileProblem: Message | null;
}

/** Maximum size of a form without its file, in bytes. */
export const FORM_OVERHEAD_BYTES = 1024 * 1024;
const PARSER_LIMITS = { fields: 10, fieldSize: 64 * 1024, fieldNameSize: 100, files: 1, parts: 20 };

const malformed = (what: string) => new InvalidInputError(`Malformed multipart form data: ${what}.`);

/** Converts an error of the parser. */
const asMalformed = (error: unknown) => malformed((error as Error).message.toLowerCase());

/** Whether the request declares a `multipart/form-data` body. */
export function isMultipart(request: IncomingMessage): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '');
}

type Limits = Pick<FormParts, 'limitBytes' | 'totalBytes' | 'tooLarge'>;

/** The maximum size of a form, and the error for a larger one. */
function totalLimit({ limitBytes = UPLOAD_LIMIT_BYTES, totalBytes, tooLarge: refusal = tooLarge }: Limits) {
  return { bytes: totalBytes ?? limitBytes + FORM_OVERHEAD_BYTES, refusal: () => refusal(limitBytes) };
}

/** @throws {InvalidInputError} naming the limit, for a Content-Length above it (contract, Limits: 400). */
export function requireAcceptableLength({ headers }: IncomingMessage, limits: Limits = {}): void {
  const { bytes, refusal } = totalLimit(limits);
  if (Number(headers['content-length'] ?? 0) > bytes) throw refusal();
}

/** Whether the Content-Length is above that of any form with a file of `limitBytes`. */
export const exceedsLimit = ({ headers }: IncomingMessage, limitBytes: number): boolean =>
  Number(headers['content-length'] ?? 0) > totalLimit({ limitBytes }).bytes;

/**
 * Reads a `multipart/form-data` body (RFC 7578) with fields and file in any order. The file is streamed to staging. On failure
 * staging is empty and the rest of the body is unread.
 * @throws {InvalidInputError} for a malformed body, a repeated field and an exceeded limit.
 * @throws {UnavailableError} when staging is full.
 */
export async function readForm(request: IncomingMessage, declared: FormParts): Promise<Form> {
  const parser = openParser(request, declared);
  const fields = declared.received ?? new Map<string, string>();
  let fileProblem: Message | null = null;
  const receiving: Promise<NonNullable<Form['file']>>[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('file', (name, stream, facts) => {
        // The reader of the stream gets the error; without a listener it would end the process.
        stream.on('error', () => {});
        if (name !== declared.file) return void stream.resume();
        receiving.push(stage(stream, facts, declared));
        receiving.at(-1)?.catch((error) => reject('code' in error ? error : asMalformed(error)));
      });
      parser.on('field', (name, value, facts) => {
        if (name === declared.file) fileProblem = message('form.file_without_name', { name });
        const problem = addField(fields, declared, name, value, facts);
        if (problem !== null) reject(malformed(problem));
      });
      refuseExcess(request, parser, declared, reject);
      parser.on('close', resolve);
      request.pipe(parser);
    });
    return { file: (await receiving[0]) ?? null, fields, fileProblem };
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    for (const file of receiving) await file.then(({ staged }) => staged.discard()).catch(() => {});
    throw error;
  }
}

/** Rejects for a form that exceeds a limit or is malformed, and when the client disconnects. */
function refuseExcess(
  request: IncomingMessage,
  parser: busboy.Busboy,
  limits: Limits,
  reject: (error: Error) => void,
): void {
  const { bytes, refusal } = totalLimit(limits);
  parser.on('filesLimit', () => reject(malformed('more than one file')));
  parser.on('fieldsLimit', () => reject(malformed('too many fields')));
  parser.on('partsLimit', () => reject(malformed('too many parts')));
  parser.on('error', (error) => reject(asMalformed(error)));
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > bytes) reject(refusal());
  });
  const disconnected = () => reject(malformed('the client disconnected'));
  request.once('error', disconnected);
  request.once('close', () => {
    if (!request.complete) disconnected();
  });
}

function openParser(request: IncomingMessage, { fields }: FormParts): busboy.Busboy {
  const limits = { ...PARSER_LIMITS, fields: Math.max(PARSER_LIMITS.fields, fields.length) };
  try {
    return busboy({ headers: request.headers, limits, defParamCharset: 'utf8' });
  } catch (error) {
    throw asMalformed(error);
  }
}

async function stage(
  stream: Readable,
  facts: busboy.FileInfo,
  { limitBytes = UPLOAD_LIMIT_BYTES, tooLarge: refusal = tooLarge }: FormParts,
): Promise<NonNullable<Form['file']>> {
  const staged = await receiveFile(stream, { limitBytes, refusal });
  return {
    fileName: plainName(facts.filename),
    mimeType: facts.mimeType,
    open: () => createReadStream(staged.path),
    staged,
  };
}

/** Stores a declared field. Returns a problem, or null. */
function addField(
  fields: Map<string, string>,
  declared: FormParts,
  name: string | undefined,
  value: string,
  facts: busboy.FieldInfo,
): string | null {
  if (facts.nameTruncated || facts.valueTruncated) return 'a field is too long';
  if (name === undefined || !declared.fields.includes(name)) return null;
  if (fields.has(name)) return `"${name}" is repeated`;
  fields.set(name, value);
  return null;
}

const MAX_NAME_LENGTH = 255;

/** The file name from the client without control characters. It is stored, logged and displayed. */
export function plainName(name: string | undefined): string {
  return (name ?? '').replace(/[\p{Cc}\p{Cs}]/gu, '').slice(-MAX_NAME_LENGTH);
}
