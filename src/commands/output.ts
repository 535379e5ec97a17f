/** Prints one line of JSON on standard output, for `--json`. */
export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Prints lines for a person on standard output. */
export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
