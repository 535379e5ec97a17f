#!/usr/bin/env node
/*
 * The program: `npx addons COMMAND`. Settings are read and code is loaded only for the command that runs, so that help and
 * mistakes on the command line are answered whatever else is wrong. Errors are one line on standard error; the exit status
 * is 1 for them and 2 for a command line that cannot be understood.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { type Command, commandHelp, programHelp, readInvocation, UsageError } from './commands/command.ts';
import { commands } from './commands/commands.ts';
import { generateMissing } from './process/generate-missing.ts';

// Compiled code is kept beside the libraries: a process starts in half the time, with some 30 MB less. Where that folder
// cannot be written, everything works without.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));

const ENVIRONMENT_FILE = join(import.meta.dirname, '../.env');

async function run(words: string[]): Promise<void> {
  const asksForHelp = words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h');
  const command = findCommand(words[0] === 'help' ? words.slice(1) : words);
  if (command === undefined) return explain(words, asksForHelp);
  if (asksForHelp) return void process.stdout.write(commandHelp(command));
  const invocation = readInvocation(command, words.slice(command.name.split(' ').length));
  if (existsSync(ENVIRONMENT_FILE)) process.loadEnvFile(ENVIRONMENT_FILE);
  await generateMissing();
  const work = await command.load();
  await work(invocation);
}

function findCommand(words: string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => words[index] === word));
}

/** Answers words that name no command: with the help that fits, as far as help was asked for. */
function explain(words: string[], asksForHelp: boolean): void {
  const [group = ''] = words;
  const ofGroup = commands.filter(({ name }) => name.startsWith(`${group} `));
  if (asksForHelp && ofGroup.length > 0) return void process.stdout.write(programHelp(ofGroup));
  if (asksForHelp) return void process.stdout.write(programHelp(commands));
  const known = ofGroup.map(({ name }) => name).join(', ');
  throw new UsageError(ofGroup.length > 0 ? `'${group}' needs one of: ${known}` : `there is no command '${group}'`);
}

/** All that went wrong on one line. Settings that cannot be used are several problems, each of which is named. */
function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text
    .trim()
    .split(/\s*\n\s*/)
    .join('; ');
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`addons: ${oneLine(error)}${isUsage ? '. See: npx addons --help' : ''}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
// What still holds the process, idle connections and timers, has nothing left to do.
process.exit();
