/** Entry point of a process that reads and compares stored packages. */
import { PackageError } from '../../errors.ts';
import { serveRequests } from '../../infra/process-pool/serve-requests.ts';
import { compareFile, countLines } from '../../package/code/compare-packages.ts';
import { TEXT_BYTES } from '../../package/code/file-changes.ts';
import { listPackageFiles, readTexts } from '../../package/code/package-files.ts';
import type { CodeReply, CodeRequest } from './read-code.ts';

serveRequests(async (request: CodeRequest): Promise<CodeReply> => {
  try {
    return { kind: 'read', value: await read(request) };
  } catch (error) {
    if (error instanceof PackageError) return { kind: 'refused', message: error.reason };
    return { kind: 'failed', detail: String(error) };
  }
});

async function read(request: CodeRequest): Promise<unknown> {
  const { path } = request;
  if (request.kind === 'list') return listPackageFiles(path);
  if (request.kind === 'text') return (await readTexts(path, [request.file], TEXT_BYTES)).get(request.file) ?? null;
  if (request.kind === 'counts') return countLines(path, request.otherPath, request.changes);
  return compareFile(path, request.otherPath, request.change, request.options);
}
