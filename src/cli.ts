#!/usr/bin/env node
/*
 * The program `npx addons COMMAND`, which addons.js launches. Settings and code are loaded only for the command that runs, so
 * that help and usage errors work in a broken installation. Errors are one line on standard error; the exit status is 1, or 2
 * for a command line that cannot be parsed.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Command } from './commands/command.ts';

// The compile cache halves the start time and saves some 30 MB. When the folder cannot be written, the program works without
// it. It is enabled before all other modules are imported, because it keeps their JavaScript as well. That of this file is kept
// only if the cache is enabled before, as addons.js does: without it, every start loads the compiler of TypeScript.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));

const { commandHelp, programHelp, readInvocation, UsageError } = await import('./commands/command.ts');
const { commands } = await import('./commands/commands.ts');
const { attachTo } = await import('./process/parent.ts');
const { generateMissing } = await import('./process/generate-missing.ts');

const ENVIRONMENT_FILE = join(import.meta.dirname, '../.env');

/** Runs a command. The launcher puts `--attached PID` first when the program must end with that process, its parent. */
async function run(words: string[]): Promise<void> {
  if (words[0] !== '--attached') return runCommand(words);
  attachTo(Number(words[1]));
  return runCommand(words.slice(2));
}

async function runCommand(words: string[]): Promise<void> {
  const asksForHelp = words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h');
  const command = findCommand(words[0] === 'help' ? words.slice(1) : words);
  if (command === undefined) return explain(words, asksForHelp);
  if (asksForHelp) return void process.stdout.write(commandHelp(command));
  const invocation = readInvocation(command, words.slice(command.name.split(' ').length));
  if (existsSync(ENVIRONMENT_FILE)) process.loadEnvFile(ENVIRONMENT_FILE);
  await generateMissing();
  const work = await command.load();
  // Not only at the exit: a process that is killed saves nothing, and the next start would take twice the time.
  flushCompileCache();
  await work(invocation);
}

function findCommand(words: string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => words[index] === word));
}

/** Handles words that name no command: prints help when requested, else throws a usage error. */
function explain(words: string[], asksForHelp: boolean): void {
  const [group = ''] = words[0] === 'help' ? words.slice(1) : words;
  const ofGroup = commands.filter(({ name }) => name.startsWith(`${group} `));
  if (asksForHelp && ofGroup.length > 0) return void process.stdout.write(programHelp(ofGroup));
  if (asksForHelp) return void process.stdout.write(programHelp(commands));
  const known = ofGroup.map(({ name }) => name).join(', ');
  throw new UsageError(ofGroup.length > 0 ? `'${group}' needs one of: ${known}` : `there is no command '${group}'`);
}

/** An error on one line, with every invalid setting. */
async function oneLine(error: unknown): Promise<string> {
  const { outageReason } = await import('./infra/database-errors.ts');
  const reason = outageReason(error);
  const text = error instanceof Error ? error.message || error.name : String(error);
  return (reason === null ? text : `The database is not available: ${reason}`)
    .trim()
    .split(/\s*\n\s*/)
    .join('; ');
}

// A reader such as head may close the pipe: the command ends as usual, and leaves the database.
process.stdout.on('error', () => {
  process.exitCode = 1;
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`addons: ${await oneLine(error)}${isUsage ? '. See: npx addons --help' : ''}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
// Idle connections and timers must not keep the process alive.
process.exit();
