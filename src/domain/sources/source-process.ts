/** Entry point of a process that lists archives of source code. */
import { PackageError } from '../../errors.ts';
import { serveRequests } from '../../infra/process-pool/serve-requests.ts';
import { listSource } from '../../package/source/list-source.ts';
import type { SourceReply, SourceRequest } from './list-source.ts';

serveRequests(async ({ path, format, processorMs }: SourceRequest): Promise<SourceReply> => {
  try {
    return { kind: 'listed', entries: await listSource(path, format, processorMs) };
  } catch (error) {
    if (error instanceof PackageError) return { kind: 'refused', message: error.reason };
    return { kind: 'failed', detail: String(error) };
  }
});
