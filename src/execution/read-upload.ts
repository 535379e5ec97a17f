/*
 * GraphQL uploads (GraphQL multipart request specification) with graphql-upload-minimal. The library truncates long files
 * silently, stalls if no code reads a file, and reports client disconnects as plain errors. This module adds size checks,
 * drains unread bodies and converts errors.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { type FileUpload, processRequest, Upload } from 'graphql-upload-minimal';
import { InvalidInputError, ServiceError } from '../errors.ts';
import { FormObserver } from '../http/form-faults.ts';
import { FORM_OVERHEAD_BYTES, plainName } from '../http/multipart.ts';
import { tooLarge, type UploadedFile } from '../infra/staging/staging.ts';
import { type Message, message } from '../texts/messages.ts';
import { printable } from '../texts/printable.ts';

interface UploadLimits {
  /** Maximum size of the file, in bytes. */
  file: number;
  /** Maximum size of each other field, in bytes. */
  field: number;
}

/** A request that is read. */
interface Reading {
  request: IncomingMessage;
  limits: UploadLimits;
  /** Converts an error of the library. Malformed forms and disconnects are client errors. */
  refusal(error: unknown): ServiceError;
}

/**
 * Reads a multipart request up to its file and returns its GraphQL parameters; the variables hold the file as a promise of
 * an `UploadedFile`, which streams its bytes. After the response, the unread rest of the body is drained.
 * @throws {InvalidInputError} for a form that is malformed, has several files or exceeds a limit.
 */
export async function readUpload(
  request: IncomingMessage,
  response: ServerResponse,
  limits: UploadLimits,
): Promise<Record<string, unknown>> {
  const observer = new FormObserver(request);
  const refusal = (error: unknown) =>
    error instanceof ServiceError ? error : new InvalidInputError(uploadFault(error, observer, limits.field));
  const processing = processRequest(request, response, {
    maxFieldSize: limits.field,
    // Above our own limit, because the library's truncation looks like the end of the file.
    maxFileSize: limits.file + FORM_OVERHEAD_BYTES,
    maxFiles: 1,
  });
  observer.observe();
  boundTransfer(request, limits);
  response.once('finish', () => readPast(request));
  const operations = await processing.catch((error: unknown) => {
    throw refusal(error);
  });
  const parameters = operations as unknown as Record<string, unknown>;
  if (Array.isArray(operations) || typeof operations.query !== 'string') {
    throw new InvalidInputError(message('form.not_one_operation'));
  }
  replaceUploads(parameters, { request, limits, refusal });
  return parameters;
}

/** Closes the connection of a client that sends more than the maximum size of a request. */
function boundTransfer(request: IncomingMessage, limits: UploadLimits): void {
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > limits.file + 2 * FORM_OVERHEAD_BYTES) request.destroy();
  });
}

/** Drains the rest of a body, because many clients read the response only after they have sent everything. */
function readPast(request: IncomingMessage): void {
  if (request.readableEnded) return;
  request.unpipe();
  request.resume();
}

/** Replaces the library's upload markers in the variables with promises of files. */
function replaceUploads(parameters: Record<string, unknown>, reading: Reading): void {
  const files = new Map<Upload, Promise<UploadedFile>>();
  const open: object[] = [parameters];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const [key, value] of Object.entries(holder)) {
      if (value instanceof Upload) {
        const file = files.get(value) ?? fileOf(value, reading);
        files.set(value, file);
        (holder as Record<string, unknown>)[key] = file;
      } else if (value !== null && typeof value === 'object') {
        open.push(value);
      }
    }
  }
}

function fileOf(upload: Upload, reading: Reading): Promise<UploadedFile> {
  const file = upload.promise.then(
    (received) => uploadedFile(received, reading),
    (error: unknown) => {
      throw reading.refusal(error);
    },
  );
  // Prevents an unhandled rejection if no resolver reads the file.
  file.catch(() => {});
  return file;
}

function uploadedFile(file: FileUpload, reading: Reading): UploadedFile {
  return {
    fileName: plainName(file.filename),
    mimeType: file.mimetype,
    open: () => bounded(openStream(file, reading), reading),
  };
}

function openStream(file: FileUpload, { refusal }: Reading): Readable & { truncated?: boolean } {
  try {
    return file.createReadStream();
  } catch (error) {
    throw refusal(error);
  }
}

/** Wraps the stream of a file. The result fails if the file is too long or incomplete. */
function bounded(source: Readable & { truncated?: boolean }, { request, limits, refusal }: Reading): Readable {
  const limitBytes = limits.file;
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

/** What the errors of the upload library mean. The library identifies them by their texts alone. */
const FAULTS: readonly (readonly [error: RegExp, fault: (value: string) => Message])[] = [
  [/^Invalid content-type /, () => message('form.no_boundary')],
  [/^Invalid JSON in the '(\w+)'/, (name) => message('form.not_json', { name })],
  [/^Invalid type for the '(\w+)' multipart field \(/, (name) => message('form.not_object', { name })],
  [/^Invalid type for the 'map' multipart field entry key '(.*?)' array/s, (key) => invalidEntry(key)],
  [/^Invalid object path .* value '(.*)' \(/s, (path) => message('form.unknown_map_path', { path: printable(path) })],
  [/^Misordered multipart fields/, () => message('form.wrong_order')],
  [/^Missing multipart field '(\w+)'/, (name) => message('form.no_graphql_field', { name })],
  [/couldn't find any files or JSON/, () => message('form.no_graphql_field', { name: 'operations' })],
  [/max file uploads exceeded/, () => message('form.too_many_files')],
  [/^File missing in the request/, () => message('form.no_mapped_file')],
  [/createReadStream\(\) multiple times/, () => message('form.file_used_twice')],
  [/^Request disconnected/, () => message('form.disconnected')],
];

const invalidEntry = (key: string): Message => message('form.invalid_map_entry', { key: printable(key) });

/** What an error of the upload library or of its parser means for a request. `maxField` is the size limit of a field in bytes. */
function uploadFault(error: unknown, observer: FormObserver, maxField: number): Message {
  const { message: problem } = error as Error;
  const [, field] = /^The '(.*)' multipart field value exceeds/s.exec(problem) ?? [];
  if (field !== undefined) return message('form.field_too_long', { name: printable(field), max: maxField });
  for (const [pattern, fault] of FAULTS) {
    const match = pattern.exec(problem);
    if (match !== null) return fault(match[1] ?? '');
  }
  return observer.faultOf(error);
}
