/** Entry point of a process that lists archives of source code. */
import { serveParser } from '../../infra/process-pool/serve-parser.ts';
import { listSource } from '../../package/source/list-source.ts';
import type { SourceRequest } from './list-source.ts';

serveParser(({ path, format, processorMs }: SourceRequest) => listSource(path, format, processorMs));
