import { PackageError } from '../../errors.ts';
import type { Message } from '../../texts/messages.ts';
import { serveRequests } from './serve-requests.ts';

/** The reply of a process that parses: the result, the refusal of the file, or an error that is not the file's fault. */
export type ParserReply =
  | { kind: 'read'; value: unknown }
  | { kind: 'refused'; message: Message }
  | { kind: 'failed'; detail: string };

/** Serves the requests of a `ParserPool`. A `PackageError` of `parse` is the refusal of a file. */
export function serveParser<Request>(parse: (request: Request) => Promise<unknown>): void {
  serveRequests(async (request: Request): Promise<ParserReply> => {
    try {
      return { kind: 'read', value: await parse(request) };
    } catch (error) {
      if (error instanceof PackageError) return { kind: 'refused', message: error.reason };
      return { kind: 'failed', detail: String(error) };
    }
  });
}
