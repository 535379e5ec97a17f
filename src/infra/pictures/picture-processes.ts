/*
 * A few processes that decode pictures, started when first needed and ended when there has been nothing to do for a while.
 * Pictures wait their turn in the order they came, so that memory stays bounded however many are sent at once.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { UnavailableError } from '../../errors.ts';
import { log } from '../log.ts';
import type { PictureForm, PictureInput, PictureReply, PictureRequest, PictureResult } from './picture-protocol.ts';

const ENTRY = fileURLToPath(new URL('./picture-process.ts', import.meta.url));

const PROCESSES = 2;
/** Starting takes about half a second, and each form of a picture has five seconds of its own in the process. */
const LONGEST_MS = 30_000;
const IDLE_MS = 30_000;
/** What a decoder has grown to is given back by starting afresh. */
const PICTURES_PER_PROCESS = 500;

interface Work {
  input: PictureInput;
  forms: PictureForm[];
  /** Processes that ended while they worked on it. */
  ended: number;
  resolve(reply: PictureResult): void;
  reject(error: Error): void;
}

interface Slot {
  child: ChildProcess | null;
  served: number;
  idle: NodeJS.Timeout | undefined;
}

const free: Slot[] = Array.from({ length: PROCESSES }, () => ({ child: null, served: 0, idle: undefined }));
const waiting: Work[] = [];

/** A process that ended without an answer: the picture may be the cause, and may not. */
class EndedError extends Error {}

/** As many processes may end with one picture before it is taken to be the cause. */
const ATTEMPTS = 2;

/**
 * Decodes a picture and makes the first form of it, and the others of that, in a process of their own.
 * @throws {UnavailableError} when the process takes too long, or ends, and the next one as well.
 */
export function runPicture(input: PictureInput, forms: PictureForm[]): Promise<PictureResult> {
  return new Promise((resolve, reject) => {
    waiting.push({ input, forms, ended: 0, resolve, reject });
    serveNext();
  });
}

function serveNext(): void {
  const [work, slot] = [waiting[0], free.at(-1)];
  if (work === undefined || slot === undefined) return;
  waiting.shift();
  free.pop();
  clearTimeout(slot.idle);
  ask(slot, work)
    .then(work.resolve, (error: Error) => giveUpOrRetry(work, error))
    .finally(() => {
      rest(slot);
      serveNext();
    });
}

function giveUpOrRetry(work: Work, error: Error): void {
  log.warn({ err: error }, 'A picture process did not answer.');
  if (error instanceof EndedError) work.ended += 1;
  if (error instanceof EndedError && work.ended < ATTEMPTS) waiting.unshift(work);
  else work.reject(new UnavailableError('The picture could not be processed. Try again later.'));
}

/** Leaves a process to wait for more. It keeps nobody's program running, and ends itself when its parent is gone. */
function rest(slot: Slot): void {
  free.push(slot);
  if (slot.served >= PICTURES_PER_PROCESS) endProcess(slot);
  slot.child?.unref();
  slot.child?.channel?.unref();
  slot.idle = setTimeout(() => endProcess(slot), IDLE_MS).unref();
}

function endProcess(slot: Slot): void {
  if (slot.child !== null) stopListening(slot.child);
  slot.child?.kill('SIGKILL');
  slot.child = null;
  slot.served = 0;
}

function start(): ChildProcess {
  const child = fork(ENTRY, {
    execArgv: [],
    env: { NODE_ENV: 'production' },
    serialization: 'advanced',
    // What a process says before it dies belongs into the log of the service.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // Whoever sends it something learns of what is wrong; an error that nobody listened for would end this process.
  child.on('error', () => {});
  return child;
}

function stopListening(child: ChildProcess): void {
  child.removeAllListeners('exit');
  child.removeAllListeners('message');
}

async function ask(slot: Slot, { input, forms }: Work): Promise<PictureResult> {
  slot.child ??= start();
  slot.served += 1;
  const { child } = slot;
  child.ref();
  child.channel?.ref();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<PictureResult>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('it takes too long')), LONGEST_MS);
      child.once('exit', (code, signal) => reject(new EndedError(`the process ended with ${signal ?? code}`)));
      child.once('message', (reply: PictureReply) => {
        if (reply.kind === 'late') reject(new Error('decoding takes too long'));
        else resolve(reply);
      });
      child.send({ input, forms } satisfies PictureRequest, (error) => {
        if (error) reject(new EndedError(error.message));
      });
    });
  } catch (error) {
    endProcess(slot);
    throw error;
  } finally {
    clearTimeout(timer);
    stopListening(child);
  }
}
