import { parseArgs } from 'node:util';

/** An option of a command. `value` is the name of its value in the help; an option without one is a flag. */
export interface CommandOption {
  description: string;
  value?: string;
  required?: boolean;
  /** May be given more than once. */
  repeatable?: boolean;
}

export const JSON_OUTPUT: CommandOption = { description: 'Print one line of JSON.' };

/** The parsed command line after the name of a command. */
export interface Invocation {
  /** The positional argument of that name. */
  argument(name: string): string;
  /** The value of a required option. */
  text(option: string): string;
  /** The value of an option, or undefined when it was not given. */
  optionalText(option: string): string | undefined;
  /** All values of a repeatable option. */
  list(option: string): string[];
  /** Whether a flag was given. */
  flag(option: string): boolean;
}

/** One command of the program. Its code is loaded only when it runs, so that `--help` needs no settings and no database. */
export interface Command {
  /** The words that select it: `user create`. */
  name: string;
  summary: string;
  /** Names of its positional arguments, all required. */
  arguments?: string[];
  options?: Record<string, CommandOption>;
  load(): Promise<(invocation: Invocation) => Promise<void>>;
}

/** The command line cannot be parsed; the program exits with status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Exit status of a command that refused lines of a file. */
export const BAD_LINES = 2;

/** An error that the operator can fix, on one line; the program exits with status 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Reads the words after the name of `command`.
 * @throws {UsageError} for unknown options, and for missing or surplus arguments.
 */
export function readInvocation(command: Command, words: string[]): Invocation {
  const { values, positionals } = parse(command, words);
  const names = command.arguments ?? [];
  for (const [index, name] of names.entries()) {
    if (positionals[index] === undefined) throw new UsageError(`${command.name}: ${name} is missing`);
  }
  const surplus = positionals[names.length];
  if (surplus !== undefined) throw new UsageError(`${command.name}: unexpected argument '${surplus}'`);
  for (const [name, { required }] of Object.entries(command.options ?? {})) {
    if (required && values[name] === undefined) throw new UsageError(`${command.name}: --${name} is missing`);
  }
  const list = (option: string): string[] => [values[option] ?? []].flat().map(String);
  return {
    argument: (name) => positionals[names.indexOf(name)] ?? '',
    text: (option) => String(values[option]),
    optionalText: (option) => list(option)[0],
    list,
    flag: (option) => values[option] === true,
  };
}

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

function parse(command: Command, words: string[]): { values: Values; positionals: string[] } {
  const options = Object.entries(command.options ?? {}).map(([name, { value, repeatable }]) => [
    name,
    { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: repeatable === true },
  ]);
  try {
    return parseArgs({ args: words, options: Object.fromEntries(options), allowPositionals: true, strict: true });
  } catch (error) {
    // The first sentence of parseArgs' message names the problem; advice about "--" may follow.
    const { message } = error as Error;
    const [problem = ''] = message.split(/\.\s/);
    const [, form] = /'(--[^']+=)-XYZ'/.exec(message) ?? [];
    throw new UsageError(`${command.name}: ${problem}${form === undefined ? '' : `; write '${form}-…'`}`);
  }
}

/** The usage line of a command: `user create --username U [--json]`. */
function usageOf(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, { value, required, repeatable }]) => {
    const option = value === undefined ? `--${name}` : `--${name} ${value}`;
    return `${required ? option : `[${option}]`}${repeatable ? ' …' : ''}`;
  });
  return [command.name, ...(command.arguments ?? []), ...options].join(' ');
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(
    ([name, { value, description }]) =>
      [value === undefined ? `--${name}` : `--${name} ${value}`, description] as const,
  );
  const width = Math.max(0, ...options.map(([option]) => option.length));
  const lines = options.map(([option, description]) => `  ${option.padEnd(width)}  ${description}`);
  return [
    `Usage: addons ${usageOf(command)}`,
    '',
    command.summary,
    ...(lines.length > 0 ? ['', ...lines] : []),
    '',
  ].join('\n');
}

/** The help of the whole program. */
export function programHelp(commands: Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  const footer =
    '`addons COMMAND --help` has details. Settings come from the environment; docs/settings.md lists them.';
  return ['Usage: addons COMMAND …', '', ...lines, '', footer, ''].join('\n');
}

/** Prints one line of JSON on standard output, for `--json`. */
export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Prints lines for a person on standard output. */
export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Prints a result: as JSON with the option `--json`, otherwise as lines for a person. */
export function printResult(invocation: Invocation, value: object, ...lines: string[]): void {
  if (invocation.flag('json')) printJson(value);
  else print(...lines);
}
