import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { UnavailableError } from '../../errors.ts';
import { type Message, message } from '../../texts/messages.ts';
import { log } from '../log.ts';
import { launchNode } from '../process-pool/launch-node.ts';
import { permanentPool } from '../process-pool/process-pool.ts';
import type {
  PictureForm,
  PictureFormats,
  PictureInput,
  PictureReply,
  PictureRequest,
  PictureResult,
} from './picture-protocol.ts';

const ENTRY = fileURLToPath(new URL('./picture-process.ts', import.meta.url));
const HEAP_MB = 512;

/** Each form of a picture has five seconds in the process. */
const pool = permanentPool({
  launch: () => launchNode(ENTRY, HEAP_MB, { flags: ['--allow-addons'] }),
  concurrency: 2,
  runsPerProcess: 500,
  processorMs: 30_000,
  wallMs: 120_000,
  idleMs: 30_000,
  attempts: 2,
});

/**
 * Decodes a picture in a child process and makes PNGs: the first form from the picture, the other forms from the first.
 * @throws {UnavailableError} when decoding takes too long or two processes crash with it.
 */
export async function runPicture(
  input: PictureInput,
  forms: PictureForm[],
  formats: PictureFormats = 'still',
): Promise<PictureResult> {
  // The process reads no files.
  const bytes = typeof input === 'string' ? await readFile(input).catch((error) => notProcessed(error)) : input;
  const outcome = await pool.run((): PictureRequest => ({ bytes, forms, formats }));
  const reply = outcome.ok ? (outcome.reply as PictureReply) : null;
  if (reply !== null && reply.kind !== 'late') return reply;
  if (outcome.ok) return notProcessed('Decoding takes too long.', message('picture.too_slow'));
  return notProcessed(outcome.detail);
}

function notProcessed(detail: unknown, problem: Message = message('picture.not_processed')): never {
  log.warn({ detail: String(detail) }, 'A picture was not processed.');
  throw new UnavailableError(problem);
}
