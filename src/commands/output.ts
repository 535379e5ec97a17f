import type { Invocation } from './command.ts';

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
