/*
 * Stages a file, prints its path and stays alive. The argument is the process id to report. A process of another container may
 * have any id, also one that is unknown here or belongs to another process.
 */
import { Readable } from 'node:stream';

Object.defineProperty(process, 'pid', { value: Number(process.argv[2]) });
const { receiveFile } = await import('../../../src/infra/staging/staging.ts');
const { path } = await receiveFile(Readable.from([Buffer.from('in use')]));
console.log(path);
setInterval(() => {}, 60_000);
