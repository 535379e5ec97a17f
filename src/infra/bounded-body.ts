/** A response has more than `maxBytes` bytes. */
export class TooLongError extends Error {
  override readonly name = 'TooLongError';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`The response is longer than ${maxBytes} bytes.`);
    this.maxBytes = maxBytes;
  }
}

/** The complete body of a response, of at most `maxBytes` after decompression. @throws {TooLongError}; the rest is not read. */
export async function boundedBody(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the stream.
    if (size > maxBytes) throw new TooLongError(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A response with a body that is complete and has at most `maxBytes`. @throws {TooLongError} */
export async function boundedResponse(response: Response, maxBytes: number): Promise<Response> {
  const { status, statusText, headers } = response;
  const body = await boundedBody(response.body, maxBytes);
  return new Response(body.length === 0 ? null : new Uint8Array(body), { status, statusText, headers });
}
