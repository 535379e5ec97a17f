/* Stages a file and has it parsed for a minute. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ParserPool } from '../../../src/infra/process-pool/parser-pool.ts';
import { receiveFile } from '../../../src/infra/staging/staging.ts';

const limits = { concurrency: 1, runsPerProcess: 100, processorMs: 30_000, wallMs: 90_000 };
const pool = new ParserPool(join(import.meta.dirname, 'attempts.ts'), 64, limits);
const { path } = await receiveFile(Readable.from([Buffer.from('an upload')]));
await pool.run({ path, wait: 60_000 });
