#!/usr/bin/env node
/*
 * The launcher of the program `addons`, in plain JavaScript that every version of Node in package.json runs. It runs src/cli.ts on
 * Node 24 or newer, `start`, `serve` and `worker` with the environment and the flags of process/node-settings.json. Where Node can
 * replace the running process, it does; else the launcher stays as its parent, and passes on signals and the exit status.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const PROGRAM = path('cli.ts');
const BUNDLED = path('../node_modules/node/bin/node');
const COMPILE_CACHE = path('../node_modules/.cache/compile');
/** The first version of Node that runs TypeScript as this program needs it. */
const OLDEST = 24;
const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];

const words = process.argv.slice(2);
const canRunProgram = Number.parseInt(process.versions.node, 10) >= OLDEST;
const { environment, flags } = JSON.parse(readFileSync(path('process/node-settings.json'), 'utf8'));
const roleFlags = Object.hasOwn(flags, words[0] ?? '') ? flags[words[0]] : undefined;
// npm and npx run scripts by a shell. When npm gets a signal, the shell may end without passing it on.
const parent = process.env.npm_lifecycle_event === undefined ? undefined : process.ppid;

if (canRunProgram && roleFlags === undefined) {
  module.enableCompileCache?.(COMPILE_CACHE);
  process.argv.splice(2, words.length, ...programWords(parent));
  await import('./cli.ts');
} else {
  const node = canRunProgram ? process.execPath : BUNDLED;
  if (existsSync(node)) run(node);
  else fail(`Node ${process.versions.node} cannot run this program, and ${BUNDLED} is missing. Run: npm ci`);
}

/** The words for the program. With `parent`, the program ends when that process is no longer its parent. */
function programWords(parent) {
  return parent === undefined ? words : ['--attached', String(parent), ...words];
}

function run(node) {
  // Environment and flags of the operator have precedence.
  const env = { ...environment, NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env };
  const command = (parent) => [...(roleFlags ?? []), ...process.execArgv, PROGRAM, ...programWords(parent)];
  // Node 22.15, 23.11 and newer.
  if (process.execve) return process.execve(node, [node, ...command(parent)], env);
  const child = spawn(node, command(process.pid), { env, stdio: 'inherit' });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  if (parent !== undefined) endWithParent(child);
}

/** When the parent of the launcher ends, ends the program, which then ends the launcher. */
function endWithParent(child) {
  setInterval(() => process.ppid !== parent && child.kill('SIGINT'), 500).unref();
}

function fail(problem) {
  process.stderr.write(`addons: ${problem}\n`);
  process.exit(1);
}
