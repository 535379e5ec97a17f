import type { IncomingMessage } from 'node:http';
import { InvalidInputError } from '../errors.ts';
import { type Message, message } from '../texts/messages.ts';
import { printable } from '../texts/printable.ts';
import { HttpRefusal } from './http-refusal.ts';

/** In bytes. */
export const MAX_BYTES = 256 * 1024;

/** A body over 256 KiB. */
export class BodyTooLargeError extends InvalidInputError {
  constructor() {
    super(message('request.too_large'));
  }
}

/** Maximum levels of objects and lists in a JSON value of a request. */
export const MAX_JSON_DEPTH = 64;

/**
 * Reads and parses a JSON body. An empty body is an empty object.
 * @throws {InvalidInputError} for a body over 256 KiB; HttpRefusal 400 for malformed JSON, for an incomplete body, and for a
 * value that `jsonProblem` finds a problem in.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBytes(request);
  if (body.length === 0) return {};
  const value = parse(body.toString());
  const problem = jsonProblem(value);
  if (problem !== null) throw new HttpRefusal(400, problem);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HttpRefusal(400, message('request.not_json', { problem: printable((error as Error).message) }));
  }
}

/**
 * Why a parsed JSON value is refused: nested deeper than `MAX_JSON_DEPTH` levels, or with a key that changes the prototype of
 * an object to which it is copied. Null for other values.
 */
export function jsonProblem(value: unknown): Message | null {
  let level = objectsIn([value]);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH) return message('request.too_deep', { max: MAX_JSON_DEPTH });
    if (level.some((each) => Object.hasOwn(each, '__proto__'))) return message('request.prototype_key');
    level = objectsIn(level.flatMap((each) => Object.values(each)));
  }
  return null;
}

function objectsIn(values: readonly unknown[]): object[] {
  return values.filter((value) => typeof value === 'object' && value !== null);
}

/**
 * Reads an `application/x-www-form-urlencoded` body (URL standard): the last value of each name.
 * @throws {InvalidInputError} for a body over 256 KiB; HttpRefusal 400 for an incomplete one.
 */
export async function readUrlencoded(request: IncomingMessage): Promise<Map<string, string>> {
  return new Map(new URLSearchParams((await readBytes(request)).toString()));
}

/**
 * Reads an `application/x-www-form-urlencoded` body of at most `maxBytes`: all values of each name.
 * @throws {HttpRefusal} 413 for a larger body, 400 for an incomplete one.
 */
export async function readUrlencodedLists(request: IncomingMessage, maxBytes: number): Promise<Map<string, string[]>> {
  const body = await readBytes(request, maxBytes).catch((error: unknown) => {
    throw error instanceof BodyTooLargeError
      ? new HttpRefusal(413, message('form.too_large', { max: maxBytes }))
      : error;
  });
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(body.toString())) {
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, [value]);
    else earlier.push(value);
  }
  return values;
}

/**
 * Reads a body.
 * @throws {BodyTooLargeError} for one over `maxBytes`, by default 256 KiB; HttpRefusal 400 for an incomplete one.
 */
export async function readBytes(request: IncomingMessage, maxBytes = MAX_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The response must reach a client whose body is refused, so the request stays open.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) throw new BodyTooLargeError();
    }
  } catch (error) {
    throw error instanceof InvalidInputError ? error : new HttpRefusal(400, message('request.incomplete'));
  }
  return Buffer.concat(chunks);
}
