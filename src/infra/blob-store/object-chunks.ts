import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type Bucket, type ObjectPart, storeUnavailable } from './bucket.ts';

/** How often a broken body is continued, and how long the next chunk of one may take. */
const MAX_BREAKS = 3;
const CHUNK_MS = 10_000;

/**
 * The bytes of an object, or a part of them, whose start has been requested. A body that breaks or stops is continued where it was.
 * @throws {UnavailableError}
 */
export async function* objectChunks(
  bucket: Bucket,
  name: string,
  { body, size, etag }: ObjectPart,
  { start, end } = { start: 0, end: size - 1 },
): AsyncGenerator<Buffer> {
  let current = body;
  if (end < start) current.destroy();
  for (let position = start, breaks = 0; position <= end; ) {
    const reading = chunksOf(current);
    let step = await reading.next();
    try {
      for (; !step.done; step = await reading.next()) {
        position += step.value.length;
        yield step.value;
      }
    } finally {
      current.destroy();
    }
    if (position > end) return;
    if (breaks++ === MAX_BREAKS) throw storeUnavailable('file.not_read', step.value);
    const next = await bucket.read(name, { start: position, end, etag });
    if (next === null) throw storeUnavailable('file.not_read', { code: 'changed' });
    current = next.body;
  }
}

/** Passes a body on. Returns why it ended. */
async function* chunksOf(body: Readable): AsyncGenerator<Buffer, unknown, undefined> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const result = await inTime(chunks.next()).catch((error: unknown) => ({ done: true as const, value: error }));
    if (result.done) return result.value ?? { code: 'short' };
    yield result.value;
  }
}

/** A reader that waits longer than this for its client is not affected. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const done = new AbortController();
  const late = setTimeout(CHUNK_MS, null, { ref: false, signal: done.signal }).then(() => {
    throw Object.assign(new Error('the body stopped'), { code: 'ETIMEDOUT' });
  });
  late.catch(() => {});
  try {
    return (await Promise.race([work, late])) as Result;
  } finally {
    done.abort();
  }
}
