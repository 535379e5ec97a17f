/* Writes docs/settings.md and .env.example from the table of settings: `npm run generate:docs`. A test fails while they are stale. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { settings } from '../settings/settings.ts';

/** Paths of the files. */
export const SETTINGS_FILE = join(import.meta.dirname, '../../docs/settings.md');
export const EXAMPLE_FILE = join(import.meta.dirname, '../../.env.example');

interface SettingRow {
  name: string;
  group: string;
  description: string;
  secret: boolean;
  /** In the form of the environment; undefined without a default, or when it depends on other settings. */
  fallback: string | undefined;
}

/** The default in the form of the environment. A folder stays relative. */
function written(name: string, value: unknown): string | undefined {
  if (name === 'DATA_DIR') return 'var';
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.join(',') : String(value);
}

function rows(): SettingRow[] {
  return Object.entries(settings).map(([name, [schema, { group, description, secret = false }]]) => {
    const parsed = z.safeParse(schema, undefined);
    return { name, group, description, secret, fallback: written(name, parsed.success ? parsed.data : undefined) };
  });
}

/** The table of docs/settings.md. */
export function settingsMarkdown(): string {
  const all = rows();
  const sections = [...new Set(all.map(({ group }) => group))].map((group) => {
    const lines = all.filter((row) => row.group === group).map(markdownRow);
    return [`## ${group}`, '', '| Setting | Default | Meaning |', '|---|---|---|', ...lines, ''].join('\n');
  });
  return [
    '# Settings',
    '',
    'All settings are environment variables; an empty value counts as not set. A file `.env` next to',
    '`package.json` provides those that the environment does not set. For settings marked with a star, `NAME_FILE` may name a',
    'file with the value, which must not be empty. The program refuses to start with invalid values, and names each of them.',
    '',
    '<!-- Written by `npm run generate:docs`; the source is src/settings/settings.ts. -->',
    '',
    ...sections,
  ].join('\n');
}

function markdownRow({ name, description, secret, fallback }: SettingRow): string {
  const shown = fallback === undefined || fallback === '' ? '' : `\`${fallback}\``;
  return `| \`${name}\`${secret ? ' *' : ''} | ${shown} | ${description.replaceAll('|', '\\|')} |`;
}

/** The whole of `.env.example`: every setting, commented out, with its default. */
export function environmentExample(): string {
  const blocks = rows().map(({ name, description, fallback }) => `# ${description}\n#${name}=${fallback ?? ''}\n`);
  return `# Copy to .env and remove the "#" before what you want to change. Written by \`npm run generate:docs\`.\n\n${blocks.join('\n')}`;
}

if (import.meta.main) {
  await writeFile(SETTINGS_FILE, settingsMarkdown());
  await writeFile(EXAMPLE_FILE, environmentExample());
}
