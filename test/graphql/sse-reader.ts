/** A stream of server-sent events (GraphQL over SSE, distinct connections mode). */
export interface EventStream {
  status: number;
  contentType: string;
  /** The next result, or null after the `complete` event. */
  next(): Promise<unknown>;
  /** The number of comments (heartbeats) received. */
  comments(): number;
  close(): void;
}

/** Subscribes over HTTP and returns once the response has started. */
export async function openEventStream(
  url: string,
  query: string,
  variables: Record<string, unknown>,
): Promise<EventStream> {
  const controller = new AbortController();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ query, variables }),
    signal: controller.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let pending = '';
  let comments = 0;
  const nextBlock = async (): Promise<string> => {
    for (let end = pending.indexOf('\n\n'); ; end = pending.indexOf('\n\n')) {
      if (end >= 0) {
        const block = pending.slice(0, end);
        pending = pending.slice(end + 2);
        return block;
      }
      const part = await reader?.read();
      if (part === undefined || part.done) throw new Error('the stream ended without a complete event');
      pending += part.value;
    }
  };
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    comments: () => comments,
    close: () => controller.abort(),
    async next() {
      for (;;) {
        const block = await nextBlock();
        if (block.startsWith(':')) comments++;
        else if (block.startsWith('event: complete')) return null;
        else return JSON.parse(block.slice(block.indexOf('data: ') + 6));
      }
    },
  };
}
