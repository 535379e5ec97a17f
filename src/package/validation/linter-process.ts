/*
 * Entry point of a linter process. It keeps the linter loaded and lints packages one after the other. It runs hostile input,
 * so `linterCommand` starts it without secrets, without a network where the machine allows that, and under Node's
 * permission model: it can read the linter, `serve-requests.ts` and its own folder, and no other module of this service.
 */
import linter from 'addons-linter';
import { serveRequests } from '../../infra/process-pool/serve-requests.ts';
import type { LinterReply, LinterRequest, LinterSettings } from './linter-protocol.ts';

const warmUpFolder = process.argv[2] ?? '';

/** Lints the archive or folder at `path`; rejects when the linter gives up on it. */
async function lint(path: string, { selfHosted, privileged = false, messageLimit }: LinterSettings) {
  const config = {
    _: [path] as [string],
    logLevel: 'fatal' as const,
    output: 'none' as const,
    boring: true,
    selfHosted,
    privileged,
    minManifestVersion: 2,
    maxManifestVersion: 3,
  };
  const { summary, metadata, errors, warnings, notices } = await linter
    .createInstance({ config, runAsBinary: false })
    .run();
  return { ...summary, metadata, messages: [...errors, ...warnings, ...notices].slice(0, messageLimit) };
}

async function reply({ path, settings }: LinterRequest): Promise<LinterReply> {
  try {
    return { kind: 'report', report: await lint(path, settings) };
  } catch (error) {
    return { kind: 'refused', reason: error instanceof Error ? error.message : String(error) };
  }
}

// A library of the linter prints uncaught errors with their source, which it may not read here.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${String(error)}\n`, () => process.exit(1));
});

// The first run compiles the linter's schemas. It is also a self-test: a linter that finds errors in the warm-up package
// must not judge anything.
const warmUp = await lint(warmUpFolder, { selfHosted: true, messageLimit: 10 });
if (warmUp.errors !== 0) throw new Error(`The linter fails its self-test: ${JSON.stringify(warmUp.messages)}`);
serveRequests(reply);
