/**
 * Entry point of a linter process. It keeps the linter loaded and lints one package after the other as the pool asks.
 * It runs hostile input, so `linter-command.ts` starts it without secrets, without a network where the machine
 * allows that, and under Node's permission model: it can read the linter, its own folder and nothing else.
 *
 * Imports are of types only, apart from the linter: the permission model would refuse to load other modules of ours.
 */
import linter from 'addons-linter';
import type { LinterReply, LinterRequest, LinterSettings } from './linter-protocol.ts';

const warmUpFolder = process.argv[2] ?? '';

/** Lints the archive or folder at `path`; rejects when the linter gives up on it. */
async function lint(path: string, { selfHosted, messageLimit }: LinterSettings) {
  const config = {
    _: [path] as [string],
    logLevel: 'fatal' as const,
    output: 'none' as const,
    boring: true,
    selfHosted,
    minManifestVersion: 2,
    maxManifestVersion: 3,
  };
  const { summary, metadata, errors, warnings, notices } = await linter
    .createInstance({ config, runAsBinary: false })
    .run();
  return { ...summary, metadata, messages: [...errors, ...warnings, ...notices].slice(0, messageLimit) };
}

function say(reply: LinterReply): void {
  // When nobody listens any more, `disconnect` ends the process.
  process.send?.(reply, undefined, undefined, () => {});
}

async function answer({ id, path, settings }: LinterRequest): Promise<void> {
  try {
    say({ kind: 'report', id, report: await lint(path, settings) });
  } catch (error) {
    say({ kind: 'refused', id, reason: error instanceof Error ? error.message : String(error) });
  }
  // Collecting after every run keeps the process near its size at start; left alone it settles at more than twice that.
  globalThis.gc?.();
  say({ kind: 'idle', id, rss: process.memoryUsage.rss() });
}

process.on('disconnect', () => process.exit(0));
// A library of the linter prints uncaught errors with their source, which it may not read here.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${String(error)}\n`, () => process.exit(1));
});
process.on('message', (request: LinterRequest) => void answer(request));

// The first run compiles the linter's schemas. It is also a self-test: a linter that finds errors in the warm-up
// package, or does not work at all, must not judge anything.
const warmUp = await lint(warmUpFolder, { selfHosted: true, messageLimit: 10 });
if (warmUp.errors !== 0) throw new Error(`The linter fails its self-test: ${JSON.stringify(warmUp.messages)}`);
say({ kind: 'ready' });
