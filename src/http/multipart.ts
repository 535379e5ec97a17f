import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { InvalidInputError } from '../errors.ts';
import { receiveFile, tooLarge, UPLOAD_LIMIT_BYTES } from '../infra/staging/staging.ts';
import type { StagedFile, UploadedFile } from '../infra/staging/uploaded-file.ts';

/** The names of the parts that a route reads. Other parts are skipped. */
export interface FormParts {
  file: string | null;
  fields: readonly string[];
}

/** A form. The caller discards the staged file unless the operation took it over. */
export interface Form {
  file: (UploadedFile & { staged: StagedFile }) | null;
  fields: ReadonlyMap<string, string>;
}

/** More than this around the file is no form of ours. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;
const LIMITS = { fields: 10, fieldSize: 64 * 1024, fieldNameSize: 100, files: 1, parts: 20 };

const malformed = (what: string) => new InvalidInputError(`Malformed multipart form data: ${what}.`);

/** What the parser says of a body that it cannot read. */
const asMalformed = (error: unknown) => malformed((error as Error).message.toLowerCase());

/** Whether a request says that its body is a form with files. */
export function isMultipart(request: IncomingMessage): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '');
}

/**
 * Refuses at once what is too large by its own account (contract, Limits: 400).
 * @throws {InvalidInputError} naming the limit.
 */
export function requireAcceptableLength(request: IncomingMessage): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > UPLOAD_LIMIT_BYTES + FORM_OVERHEAD_BYTES) throw tooLarge(UPLOAD_LIMIT_BYTES);
}

/**
 * Reads a `multipart/form-data` body (RFC 7578): fields and file in any order, the file going to staging while it comes
 * in. When it fails, nothing is left in staging and the rest of the body is unread.
 * @throws {InvalidInputError} for a malformed body, a repeated part and everything above a limit.
 * @throws {UnavailableError} when there is no room.
 */
export async function readForm(request: IncomingMessage, declared: FormParts): Promise<Form> {
  const parser = openParser(request);
  const fields = new Map<string, string>();
  const receiving: Promise<NonNullable<Form['file']>>[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('file', (name, stream, facts) => {
        // Whatever ends the file is seen by who reads it; without a listener its failure would end the process.
        stream.on('error', () => {});
        if (name !== declared.file) return void stream.resume();
        receiving.push(stage(stream, facts));
        receiving.at(-1)?.catch((error) => reject('code' in error ? error : asMalformed(error)));
      });
      parser.on('field', (name, value, facts) => {
        const problem = addField(fields, declared, name, value, facts);
        if (problem !== null) reject(malformed(problem));
      });
      refuseExcess(request, parser, reject);
      parser.on('close', resolve);
      request.pipe(parser);
    });
    return { file: (await receiving[0]) ?? null, fields };
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    for (const file of receiving) await file.then(({ staged }) => staged.discard()).catch(() => {});
    throw error;
  }
}

/** Ends the reading of a form that breaks a limit, is malformed, or whose client has gone. */
function refuseExcess(request: IncomingMessage, parser: busboy.Busboy, reject: (error: Error) => void): void {
  parser.on('filesLimit', () => reject(malformed('more than one file')));
  parser.on('fieldsLimit', () => reject(malformed('too many fields')));
  parser.on('partsLimit', () => reject(malformed('too many parts')));
  parser.on('error', (error) => reject(asMalformed(error)));
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > UPLOAD_LIMIT_BYTES + FORM_OVERHEAD_BYTES) reject(tooLarge(UPLOAD_LIMIT_BYTES));
  });
  const goneAway = () => reject(malformed('the client went away'));
  request.once('error', goneAway);
  request.once('close', () => {
    if (!request.complete) goneAway();
  });
}

function openParser(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch (error) {
    throw asMalformed(error);
  }
}

async function stage(stream: Readable, facts: busboy.FileInfo): Promise<NonNullable<Form['file']>> {
  const staged = await receiveFile(stream, { limitBytes: UPLOAD_LIMIT_BYTES });
  return {
    fileName: plainName(facts.filename),
    mimeType: facts.mimeType,
    open: () => createReadStream(staged.path),
    staged,
  };
}

/** Keeps a declared field. Returns what is wrong with it, or null. */
function addField(
  fields: Map<string, string>,
  declared: FormParts,
  name: string | undefined,
  value: string,
  facts: busboy.FieldInfo,
): string | null {
  if (facts.nameTruncated || facts.valueTruncated) return 'a field is too long';
  if (name === undefined || !declared.fields.includes(name)) return null;
  if (fields.has(name)) return `"${name}" is there twice`;
  fields.set(name, value);
  return null;
}

const MAX_NAME_LENGTH = 255;

/** The client's name for the file without control characters: it is kept, logged and shown. */
function plainName(name: string | undefined): string {
  return (name ?? '').replace(/[\p{Cc}\p{Cs}]/gu, '').slice(-MAX_NAME_LENGTH);
}
