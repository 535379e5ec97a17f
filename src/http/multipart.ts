import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { InvalidInputError } from '../errors.ts';
import {
  receiveFile,
  type StagedFile,
  tooLarge,
  UPLOAD_LIMIT_BYTES,
  type UploadedFile,
} from '../infra/staging/staging.ts';
import { type Message, message } from '../texts/messages.ts';
import { printable } from '../texts/printable.ts';
import { FormObserver } from './form-faults.ts';

/** The names of the parts that a route reads. Other parts are skipped. */
interface FormParts {
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
export interface MultipartForm {
  file: (UploadedFile & { staged: StagedFile }) | null;
  fields: ReadonlyMap<string, string>;
  /** Why there is no file, where the request shows it. */
  fileProblem: Message | null;
}

/** Maximum size of a form without its file, in bytes. */
export const FORM_OVERHEAD_BYTES = 1024 * 1024;
const PARSER_LIMITS = { fields: 10, fieldSize: 64 * 1024, fieldNameSize: 100, files: 1, parts: 20 };

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
export async function readForm(request: IncomingMessage, declared: FormParts): Promise<MultipartForm> {
  const observer = new FormObserver(request);
  const parser = openParser(request, declared, observer);
  observer.observe();
  const fields = declared.received ?? new Map<string, string>();
  let fileProblem: Message | null = null;
  const receiving: Promise<NonNullable<MultipartForm['file']>>[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('file', (name, stream, facts) => {
        // The reader of the stream gets the error; without a listener it would end the process.
        stream.on('error', () => {});
        if (name !== declared.file) {
          fileProblem ??= misplacedFile(declared, name);
          return void stream.resume();
        }
        receiving.push(stage(stream, facts, declared));
        receiving.at(-1)?.catch(reject);
      });
      parser.on('field', (name, value, facts) => {
        if (name === declared.file) fileProblem = message('form.file_without_name', { name });
        const problem = addField(fields, declared, name, value, facts);
        if (problem !== null) reject(new InvalidInputError(problem));
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
    // The errors of the parser have no code.
    throw 'code' in (error as Error) ? error : new InvalidInputError(observer.faultOf(error));
  }
}

/** Rejects for a form that exceeds a limit or is malformed, and when the client disconnects. */
function refuseExcess(
  request: IncomingMessage,
  parser: busboy.Busboy,
  declared: FormParts,
  reject: (error: unknown) => void,
): void {
  const { bytes, refusal } = totalLimit(declared);
  const { fields, parts } = parserLimits(declared);
  const refuse = (problem: Message) => reject(new InvalidInputError(problem));
  parser.on('filesLimit', () => refuse(message('form.too_many_files')));
  parser.on('fieldsLimit', () => refuse(message('form.too_many_fields', { max: fields })));
  parser.on('partsLimit', () => refuse(message('form.too_many_parts', { max: parts })));
  parser.on('error', reject);
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > bytes) reject(refusal());
  });
  const disconnected = () => refuse(message('form.disconnected'));
  request.once('error', disconnected);
  request.once('close', () => {
    if (!request.complete) disconnected();
  });
}

const parserLimits = ({ fields }: FormParts) => ({
  ...PARSER_LIMITS,
  fields: Math.max(PARSER_LIMITS.fields, fields.length),
});

function openParser(request: IncomingMessage, declared: FormParts, observer: FormObserver): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, limits: parserLimits(declared), defParamCharset: 'utf8' });
  } catch (error) {
    throw new InvalidInputError(observer.faultOf(error));
  }
}

/** Why a form lacks its file when it has one in another part. `other` is undefined for a part without a name. */
function misplacedFile({ file: name }: FormParts, other: string | undefined): Message | null {
  if (name === null) return null;
  if (other === undefined) return message('form.part_without_name', { name });
  return message('form.file_in_other_part', { name, other: printable(other) });
}

async function stage(
  stream: Readable,
  facts: busboy.FileInfo,
  { limitBytes = UPLOAD_LIMIT_BYTES, tooLarge: refusal = tooLarge }: FormParts,
): Promise<NonNullable<MultipartForm['file']>> {
  const staged = await receiveFile(stream, { limitBytes, refusal });
  return {
    fileName: plainName(facts.filename),
    mimeType: facts.mimeType,
    open: () => createReadStream(staged.path),
    staged,
  };
}

/** Stores a declared field. Returns why the form is refused, or null. */
function addField(
  fields: Map<string, string>,
  declared: FormParts,
  name: string | undefined,
  value: string,
  facts: busboy.FieldInfo,
): Message | null {
  if (facts.nameTruncated || facts.valueTruncated) {
    return message('form.field_too_long', { name: printable(name ?? ''), max: PARSER_LIMITS.fieldSize });
  }
  if (name === undefined || !declared.fields.includes(name)) return null;
  if (fields.has(name)) return message('form.field_twice', { name });
  fields.set(name, value);
  return null;
}

const MAX_NAME_LENGTH = 255;

/** The file name from the client without control characters. It is stored, logged and displayed. */
export function plainName(name: string | undefined): string {
  return (name ?? '').replace(/[\p{Cc}\p{Cs}]/gu, '').slice(-MAX_NAME_LENGTH);
}
