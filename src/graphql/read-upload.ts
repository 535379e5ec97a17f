/*
 * Uploads inside GraphQL (GraphQL multipart request specification), over graphql-upload-minimal. The library lets a file
 * that is too long simply end, leaves a request hanging whose file nobody reads, and reports a client that went away as an
 * error like any other; what is here counts, reads past and explains.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { type FileUpload, processRequest, Upload } from 'graphql-upload-minimal';
import { InvalidInputError, ServiceError } from '../errors.ts';
import { tooLarge } from '../infra/staging/staging.ts';
import type { UploadedFile } from '../infra/staging/uploaded-file.ts';

/** Room for everything of a request but its file, in bytes. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;
const MAX_NAME_LENGTH = 255;

export interface UploadLimits {
  /** Of the file, in bytes. */
  file: number;
  /** Of each of the fields beside it. */
  field: number;
}

/** Whether a request says that its body is a form with files. */
export function isMultipart(request: IncomingMessage): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '');
}

/**
 * Refuses at once what is too large by its own account.
 * @throws {InvalidInputError} naming the limit.
 */
export function requireAcceptableLength(request: IncomingMessage, limits: UploadLimits): void {
  if (Number(request.headers['content-length'] ?? 0) > limits.file + FORM_OVERHEAD_BYTES) throw tooLarge(limits.file);
}

/**
 * Reads a multipart request up to its file and returns its GraphQL parameters; the variables hold the file as a promise of
 * an `UploadedFile`, whose bytes come in while they are read. Whatever stays unread when the answer has gone is read past.
 * @throws {InvalidInputError} for a form that is malformed, has more than one file or no room for its fields.
 */
export async function readUpload(
  request: IncomingMessage,
  response: ServerResponse,
  limits: UploadLimits,
): Promise<Record<string, unknown>> {
  const reading = processRequest(request, response, {
    maxFieldSize: limits.field,
    // Above our own limit: what the library does at its limit cannot be told from the end of the file.
    maxFileSize: limits.file + FORM_OVERHEAD_BYTES,
    maxFiles: 1,
  });
  boundTransfer(request, limits);
  response.once('finish', () => readPast(request));
  const operations = await reading.catch((error: unknown) => {
    throw refusal(error);
  });
  const parameters = operations as unknown as Record<string, unknown>;
  if (Array.isArray(operations) || typeof operations.query !== 'string') {
    throw new InvalidInputError('The field operations is no single GraphQL operation.');
  }
  replaceUploads(parameters, request, limits);
  return parameters;
}

/** Cuts off a sender who goes on beyond everything that a request may contain. */
function boundTransfer(request: IncomingMessage, limits: UploadLimits): void {
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > limits.file + 2 * FORM_OVERHEAD_BYTES) request.destroy();
  });
}

/** Lets the rest of a body go by, so that its sender comes to read the answer. */
function readPast(request: IncomingMessage): void {
  if (request.readableEnded) return;
  request.unpipe();
  request.resume();
}

/** Puts promises of files in place of the library's markers, wherever the form's map has put those. */
function replaceUploads(parameters: Record<string, unknown>, request: IncomingMessage, limits: UploadLimits): void {
  const files = new Map<Upload, Promise<UploadedFile>>();
  const open: object[] = [parameters];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const [key, value] of Object.entries(holder)) {
      if (value instanceof Upload) {
        const file = files.get(value) ?? fileOf(value, request, limits);
        files.set(value, file);
        (holder as Record<string, unknown>)[key] = file;
      } else if (value !== null && typeof value === 'object') {
        open.push(value);
      }
    }
  }
}

function fileOf(upload: Upload, request: IncomingMessage, limits: UploadLimits): Promise<UploadedFile> {
  const file = upload.promise.then(
    (received) => uploadedFile(received, request, limits),
    (error: unknown) => {
      throw refusal(error);
    },
  );
  // A file that no resolver asks for must not end the process when it fails.
  file.catch(() => {});
  return file;
}

function uploadedFile(file: FileUpload, request: IncomingMessage, limits: UploadLimits): UploadedFile {
  return {
    fileName: (file.filename ?? '').replace(/[\p{Cc}\p{Cs}]/gu, '').slice(-MAX_NAME_LENGTH),
    mimeType: file.mimetype,
    open: () => bounded(openStream(file), request, limits.file),
  };
}

function openStream(file: FileUpload): Readable & { truncated?: boolean } {
  try {
    return file.createReadStream();
  } catch (error) {
    throw refusal(error);
  }
}

/** The stream of a file, failing where it is too long, cut short or broken off. */
function bounded(source: Readable & { truncated?: boolean }, request: IncomingMessage, limitBytes: number): Readable {
  let size = 0;
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limitBytes) done(tooLarge(limitBytes));
      else done(null, chunk);
    },
    flush: (done) => done(source.truncated ? tooLarge(limitBytes) : null),
  });
  source.once('error', (error) => checked.destroy(refusal(error)));
  checked.once('close', () => {
    if (source.readableEnded) return;
    source.destroy();
    readPast(request);
  });
  return source.pipe(checked);
}

/** What is wrong with a form is its sender's fault, and so is going away. */
function refusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new InvalidInputError(`Malformed multipart request: ${(error as Error).message}`);
}
