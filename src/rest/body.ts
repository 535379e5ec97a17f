/* Request bodies as routes declare them: each declaration reads the body and describes it in the OpenAPI documents. */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { InvalidInputError } from '../errors.ts';
import { bodySize } from '../http/drain.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { isMultipart, type MultipartForm, readForm, requireAcceptableLength } from '../http/multipart.ts';
import { BodyTooLargeError, MAX_BYTES, readJson, readUrlencoded } from '../http/small-body.ts';
import { UPLOAD_LIMIT_BYTES } from '../infra/staging/staging.ts';
import { type Message, message } from '../texts/messages.ts';
import { printable } from '../texts/printable.ts';
import { neutralBody, neutralForm, partNames } from './words.ts';

/** A body with a file: its largest size in bytes, and whether it counts as an upload of a package. */
export interface ExpectedUpload {
  bytes: number;
  isCounted: boolean;
}

export interface BodyDeclaration<Body> {
  /** Schemas by media type, for the OpenAPI documents; empty when the route reads no body. */
  content: Readonly<Record<string, { schema: z.ZodType | FormSchema }>>;
  /**
   * Reads the body. Awaits `start` before the first read, for clients that wait for `100 Continue`. Its argument is present for
   * a body with a file.
   * @throws {HttpRefusal} 415 for another media type.
   */
  read(request: IncomingMessage, start: (upload?: ExpectedUpload) => Promise<void>): Promise<Body>;
  /** Releases what the operation did not take over. */
  discard(body: Body): Promise<void>;
}

/** A JSON schema of a form. */
interface FormSchema {
  type: 'object';
  properties: Record<string, { type: 'string'; description: string; contentMediaType?: string; enum?: string[] }>;
  required: string[];
}

const nothingToDiscard = async (): Promise<void> => {};

/** A body that is not read. */
export const noBody: BodyDeclaration<void> = { content: {}, read: async () => {}, discard: nothingToDiscard };

/** Media types that the service reads somewhere. A form route treats them as a form without parts. */
const READABLE = /^(application\/json|application\/x-www-form-urlencoded)\s*(;|$)/i;

/** @throws {HttpRefusal} 415 for a body of another media type. A body without one is read. */
export function requireType(request: IncomingMessage, readable: RegExp): void {
  const type = request.headers['content-type'] ?? '';
  if (type !== '' && !readable.test(type)) {
    throw new HttpRefusal(415, message('request.unsupported_type', { type }));
  }
}

/**
 * A JSON body that matches `schema`; an absent body is an empty object. `read` throws HttpRefusal 400 for malformed JSON, and
 * InvalidInputError keyed by the field for a body that does not match.
 */
export function json<Schema extends z.ZodType>(schema: Schema): BodyDeclaration<z.infer<Schema>> {
  return {
    content: { 'application/json': { schema } },
    async read(request, start) {
      requireType(request, /^application\/json\s*(;|$)/i);
      await start();
      const { data, error } = schema.safeParse(neutralBody(await readJson(request)));
      if (error !== undefined) throw invalidBody(error);
      return data as z.infer<Schema>;
    },
    discard: nothingToDiscard,
  };
}

function invalidBody(error: z.ZodError): InvalidInputError {
  const { fieldErrors, formErrors } = z.flattenError(error);
  const [first] = formErrors;
  const fields = Object.entries(fieldErrors as Record<string, string[]>);
  return new InvalidInputError(
    first === undefined ? message('request.no_match') : unfit(first),
    Object.fromEntries(fields.map(([name, problems]) => [name, problems.map(unfit)])),
  );
}

/** What the library for schemas says about a value. */
const unfit = (problem: string): Message => message('request.unfit_value', { problem });

/** The parts of a form. Descriptions are for the OpenAPI documents. */
interface FormDeclaration {
  /** `tooLarge` makes the error for a file of more than `limitBytes`; by default one without a field. */
  file?: { name: string; description: string; tooLarge?: (limitBytes: number) => InvalidInputError };
  /** `values` are the valid ones; the route refuses others. */
  fields: Readonly<Record<string, { description: string; required?: true; values?: readonly string[] }>>;
}

/** A `multipart/form-data` body. `read` returns absent parts as absent; the route refuses missing ones with the documented text. */
export function multipart({ file, fields }: FormDeclaration): BodyDeclaration<MultipartForm> {
  const names = Object.keys(fields);
  const texts = Object.entries(fields).map(([name, { description, values }]) => [
    name,
    { type: 'string' as const, description, ...(values ? { enum: [...values] } : {}) },
  ]);
  const upload = file && {
    [file.name]: {
      type: 'string' as const,
      contentMediaType: 'application/octet-stream',
      description: file.description,
    },
  };
  const limits = file?.tooLarge && { tooLarge: file.tooLarge };
  const required = [...(file ? [file.name] : []), ...names.filter((name) => fields[name]?.required)];
  const properties = { ...upload, ...Object.fromEntries(texts) };
  return {
    content: { 'multipart/form-data': { schema: { type: 'object', properties, required } } },
    async read(request, start) {
      requireAcceptableLength(request, limits);
      if (!isMultipart(request)) {
        requireType(request, READABLE);
        return { file: null, fields: new Map(), fileProblem: notMultipart(request, file?.name) };
      }
      await start(file && { bytes: bodySize(request, UPLOAD_LIMIT_BYTES), isCounted: true });
      return readForm(request, { file: file?.name ?? null, fields: names, ...limits });
    },
    discard: async (form) => form.file?.staged.discard(),
  };
}

function notMultipart({ headers }: IncomingMessage, name: string | undefined): Message | null {
  const type = headers['content-type'];
  if (name === undefined) return null;
  if (type !== undefined) return message('form.not_multipart', { name, type: printable(type) });
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasBody ? message('form.no_content_type', { name }) : null;
}

/** The values of an object body. Their types are not checked. */
export interface ObjectBody {
  /** The declared properties that the body has. Those of a form are strings. */
  values: ReadonlyMap<string, unknown>;
  /** Whether the body is a form, multipart or URL-encoded. */
  isForm: boolean;
  file: MultipartForm['file'];
}

/** What an object body may contain. */
interface ObjectDeclaration {
  /** Schemas, with descriptions, for the OpenAPI documents; nothing is validated against them. */
  properties: Readonly<Record<string, z.ZodType>>;
  /** The names of properties that every body has. */
  required?: readonly string[];
  /** A part of a multipart form. `tooLarge` makes the error for a file of more than `limitBytes`. */
  file?: { name: string; description: string; limitBytes: number; tooLarge(): InvalidInputError };
}

const URLENCODED = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/**
 * An object of named values: JSON, `multipart/form-data` or `application/x-www-form-urlencoded` (docs/decisions.md D87). An absent body
 * has none; undeclared properties are ignored. `read` throws InvalidInputError for a body that is no JSON object, is malformed
 * or larger than 256 KiB, and HttpRefusal 415 for another media type.
 */
export function objectBody({ properties, required = [], file }: ObjectDeclaration): BodyDeclaration<ObjectBody> {
  const names = Object.keys(properties);
  const schema = z.object(
    Object.fromEntries(
      Object.entries(properties).map(([name, type]) => [name, required.includes(name) ? type : type.optional()]),
    ),
  );
  const upload = file && {
    [file.name]: z.string().meta({ description: file.description, format: 'binary' }).optional(),
  };
  const limits = file
    ? { limitBytes: file.limitBytes, tooLarge: file.tooLarge }
    : { totalBytes: MAX_BYTES, tooLarge: () => new BodyTooLargeError() };
  return {
    content: {
      'application/json': { schema },
      'multipart/form-data': { schema: schema.extend(upload ?? {}) },
      'application/x-www-form-urlencoded': { schema },
    },
    async read(request, start) {
      if (isMultipart(request)) {
        requireAcceptableLength(request, limits);
        await start(file && { bytes: bodySize(request, file.limitBytes), isCounted: false });
        const form = await readForm(request, { file: file?.name ?? null, fields: partNames(names), ...limits });
        return { values: neutralForm(form.fields), isForm: true, file: form.file };
      }
      requireType(request, READABLE);
      await start();
      const isForm = URLENCODED.test(request.headers['content-type'] ?? '');
      const values = isForm ? neutralForm(await readUrlencoded(request)) : await readJsonObject(request);
      return { values: new Map([...values].filter(([name]) => names.includes(name))), isForm, file: null };
    },
    discard: async (body) => body.file?.staged.discard(),
  };
}

/** The keys of a JSON body. @throws {InvalidInputError} for a body that is no JSON object. */
export async function readJsonObject(request: IncomingMessage): Promise<Map<string, unknown>> {
  const value = await readJson(request).catch((error: unknown) => {
    throw error instanceof HttpRefusal ? new InvalidInputError(error.reason) : error;
  });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidInputError(message('request.not_object'));
  }
  return new Map(Object.entries(neutralBody(value) as object));
}
