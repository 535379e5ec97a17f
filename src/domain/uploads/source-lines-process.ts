/** Entry point of a process that reads lines of stored packages. */
import { PackageError } from '../../errors.ts';
import { serveRequests } from '../../infra/process-pool/serve-requests.ts';
import { readExcerpts } from '../../package/source-excerpts.ts';
import type { SourceLinesReply, SourceLinesRequest } from './read-source-lines.ts';

serveRequests(async ({ path, places }: SourceLinesRequest): Promise<SourceLinesReply> => {
  try {
    return { kind: 'read', excerpts: await readExcerpts(path, places) };
  } catch (error) {
    return error instanceof PackageError ? { kind: 'refused' } : { kind: 'failed', detail: String(error) };
  }
});
