import type { IncomingMessage } from 'node:http';
import { InvalidInputError } from '../errors.ts';
import { HttpRefusal } from './http-refusal.ts';

/** In bytes. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads and parses a JSON body. An empty body is an empty object.
 * @throws {InvalidInputError} for a body over 256 KiB; HttpRefusal 400 for malformed JSON and for an incomplete body.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBytes(request);
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString());
  } catch {
    throw malformed();
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The response must reach a client whose body is refused, so the request stays open.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new InvalidInputError('The request body is larger than 256 KiB.');
    }
  } catch (error) {
    throw error instanceof InvalidInputError ? error : malformed();
  }
  return Buffer.concat(chunks);
}

const malformed = () => new HttpRefusal(400, 'The request body is not valid JSON.');
