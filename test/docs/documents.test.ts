import { execFile } from 'node:child_process';
import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readInvocation } from '../../src/commands/command.ts';
import { commands } from '../../src/commands/commands.ts';
import { policiesText } from '../../src/commands/policies.ts';
import {
  EXAMPLE_FILE,
  environmentExample,
  SETTINGS_FILE,
  settingsMarkdown,
} from '../../src/commands/print-settings.ts';
import { readConfig } from '../../src/config.ts';
import { LIMITS_FILE, limitsMarkdown } from '../../src/pages/docs/print-limits.ts';
import nodeSettings from '../../src/process/node-settings.json' with { type: 'json' };
import { settings } from '../../src/settings/settings.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

const documents = async (): Promise<string[]> => {
  const names = await readdir(join(ROOT, 'docs'));
  const inDocs = names.filter((name) => name.endsWith('.md')).map((name) => join('docs', name));
  return ['README.md', 'CHANGELOG.md', ...inDocs];
};

describe('a generated document', () => {
  it.each([
    [SETTINGS_FILE, settingsMarkdown],
    [EXAMPLE_FILE, environmentExample],
    [LIMITS_FILE, limitsMarkdown],
  ])('is current: %s (npm run generate:docs)', async (file, text) => {
    expect(await readFile(file, 'utf8')).toBe(text());
  });

  it('names every setting, with an example of every default', () => {
    for (const name of Object.keys(settings)) {
      expect(settingsMarkdown()).toContain(`| \`${name}\``);
      expect(environmentExample()).toMatch(new RegExp(`^#${name}=`, 'm'));
    }
    const uncommented = environmentExample().replaceAll(/^#([A-Z_]+=)/gm, '$1');
    const lines = uncommented.split('\n').filter((line) => /^[A-Z_]+=/.test(line));
    const environment = Object.fromEntries(
      lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
    );
    expect(readConfig(environment)).toEqual(readConfig({}));
  });
});

describe('docs/upgrading.md', () => {
  it('names each migration since the first release', async () => {
    const text = await readFile(join(ROOT, 'docs/upgrading.md'), 'utf8');
    const migrations = (await readdir(join(ROOT, 'prisma/migrations'))).filter((name) => name > '0009');
    const named = [...text.matchAll(/\| `(\d{4}_\w+)` \|/g)].map(([, name]) => `${name}.sql`);
    expect(named).toEqual(migrations.sort());
  });
});

describe('docs/browsers.md', () => {
  it('contains the output of the commands that it names', async () => {
    const text = await readFile(join(ROOT, 'docs/browsers.md'), 'utf8');
    const command = commands.find(({ name }) => name === 'policies');
    const printed = [...text.matchAll(/`npx addons policies ([^`]+)` prints[^`]+```json\n([^`]+)\n```/g)];
    for (const [, words = '', block] of printed) {
      expect(block).toBe(command && policiesText(readInvocation(command, words.split(/\s+/))));
    }
    expect(printed).toHaveLength(2);
  });
});

/** Headings have addresses as on GitHub. */
function expectHeading(text: string, address: string): void {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  expect(headings.map((each) => each.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'))).toContain(address);
}

describe('the documents', () => {
  it('link to existing files and headings', async () => {
    const broken: string[] = [];
    for (const document of await documents()) {
      const text = await readFile(join(ROOT, document), 'utf8');
      for (const [, target = '', heading] of text.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
        if (/^https?:/.test(target)) continue;
        const file = target === '' ? join(ROOT, document) : join(ROOT, dirname(document), target);
        const isThere =
          heading === undefined ? access(file) : readFile(file, 'utf8').then((of) => expectHeading(of, heading));
        await isThere.catch(() => broken.push(`${document}: ${target}#${heading}`));
      }
    }
    expect(broken).toEqual([]);
  });

  it('name existing files only', async () => {
    const missing: string[] = [];
    for (const document of await documents()) {
      const text = await readFile(join(ROOT, document), 'utf8');
      const paths = text.matchAll(/`((?:src|test|prisma|schema|bench|\.ci|\.config|\.github)\/[\w./-]+)`/g);
      for (const [, path = ''] of paths) {
        await access(join(ROOT, path)).catch(() => missing.push(`${document}: ${path}`));
      }
    }
    expect(missing).toEqual([]);
  });

  it('name existing commands and scripts only', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    for (const document of await documents()) {
      const text = await readFile(join(ROOT, document), 'utf8');
      for (const [, words = ''] of text.matchAll(/npx addons ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)) {
        expect(
          commands.some(({ name }) => `${words} `.startsWith(`${name} `)),
          `${document}: ${words}`,
        ).toBe(true);
      }
      for (const [, script = ''] of text.matchAll(/npm run ([a-z:]+)/g)) expect(scripts).toHaveProperty([script]);
    }
  });

  it('name the environment and the flags that the launcher sets', async () => {
    const guide = await readFile(join(ROOT, 'docs/operating.md'), 'utf8');
    const rows = [...guide.matchAll(/^\| (All|Web|Worker|`storage`) \| `([^`]+)`/gm)];
    const cellsOf = (process: string) => rows.filter(([, name]) => name === process).map(([, , cell]) => cell);
    const { environment, flags } = nodeSettings;
    expect(cellsOf('All')).toEqual([`MALLOC_ARENA_MAX=${environment.MALLOC_ARENA_MAX}`, 'NODE_COMPILE_CACHE']);
    expect(cellsOf('Web').sort()).toEqual(flags.serve.toSorted());
    expect(cellsOf('Worker').sort()).toEqual(flags.worker.toSorted());
    expect(cellsOf('`storage`').sort()).toEqual(flags.storage.toSorted());
    expect(flags.start).toEqual(flags.serve);
  });

  it('name each permission rule that the code checks, and no other', async () => {
    const guide = await readFile(join(ROOT, 'docs/operating.md'), 'utf8');
    const [table = ''] = guide.slice(guide.indexOf('| Rule | Allows |')).split('\n\n', 1);
    const cells = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
      cell.replaceAll('`', '').split(', '),
    );
    const checks = await readFile(join(ROOT, 'src/auth/permissions.ts'), 'utf8');
    const [type = ''] = checks.slice(checks.indexOf('type Permission =')).split(';', 1);
    const rules = [...type.matchAll(/'(\w+:\w+)'/g)].map(([, rule]) => rule);
    expect(rules.length).toBeGreaterThan(0);
    expect(cells.sort()).toEqual(rules.sort());
  });

  it('are the only other files at the top of the tree', async () => {
    const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: ROOT,
      maxBuffer: 10_000_000,
    });
    const top = new Set(stdout.split('\0').map((path) => path.split('/', 1)[0] ?? ''));
    const shown = [...top].filter((name) => name !== '' && !name.startsWith('.'));
    expect(shown.sort()).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'bench',
        'deploy',
        'codegen.yml',
        'docs',
        'package-lock.json',
        'package.json',
        'prisma',
        'schema',
        'src',
        'test',
        'tsconfig.json',
      ].sort(),
    );
  });
});
