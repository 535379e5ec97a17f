import { readFile, writeFile } from 'node:fs/promises';
import type { Packer } from './packers.ts';

/** Results of a packer in one mode, for each kind of names. */
export interface Row {
  packer: Packer;
  ascii: string;
  other: string;
}

const TABLE = new URL('../../docs/packers.md', import.meta.url);

const HEAD = `# Packers

Packages are rewritten before they are signed, so the service accepts what cannot change any of their files; [choices.md](choices.md)
says what that is. This table is written by \`node test/packers/run.ts --write\` and compared by \`.ci/run\`, for the packers that the
machine has. \`signed\` means that the signed package has every file byte for byte. The locale is \`C.UTF-8\`.

| Packer | Mode | ASCII names | Other names |
|---|---|---|---|
`;

export const rowLine = ({ packer: { name, mode }, ascii, other }: Row): string =>
  `| ${[name, mode, ascii, other].map((cell) => cell.replaceAll(/\d+ bytes/g, 'N bytes').replaceAll('|', '\\|')).join(' | ')} |`;

/** The lines of the committed table. */
export const readTable = async (): Promise<string[]> => (await readFile(TABLE, 'utf8')).split('\n');

export const writeTable = (rows: readonly Row[]): Promise<void> =>
  writeFile(TABLE, `${HEAD}${rows.map(rowLine).join('\n')}\n`);
