import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Reply } from '../support/client.ts';
import { documentOf, englishIn, textOf, Visitor } from '../support/pages.ts';
import { ROOT } from '../support/sources.ts';

const HELP = [
  '/docs/',
  '/docs/install/',
  '/docs/first-addon/',
  '/docs/review/',
  '/docs/moderation/',
  '/docs/reviewers/',
  '/docs/agreement/',
  '/docs/verify/',
  '/docs/limits/',
  '/docs/application-versions/',
  '/docs/api/',
  '/docs/accessibility/',
];

const app = setUpApp();
let anonymous: Visitor;

beforeAll(async () => {
  anonymous = new Visitor(app);
});

const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');

/** The reference of a version. Validating its HTML takes a while, so each is requested once. */
const references = new Map<string, Promise<Reply>>();
function reference(version: string): Promise<Reply> {
  const page = references.get(version) ?? anonymous.get(`/docs/api/${version}/`);
  references.set(version, page);
  return page;
}

describe('the help', () => {
  it.each(HELP)('%s is in three languages and leads to the other pages', async (path) => {
    const titles = new Set<string>();
    for (const language of ['en', 'de', 'he']) {
      const { status, text } = await anonymous.get(`${path}?lang=${language}`);
      expect(status).toBe(200);
      const $ = documentOf({ text });
      expect($('h1')).toHaveLength(1);
      for (const other of HELP.slice(1)) expect(text).toContain(`<a href="${other}"`);
      expect(text).toContain(`<link rel="canonical" href="${app.config.BASE_URL}${path}">`);
      if (language === 'he') expect(englishIn(text)).toEqual([]);
      titles.add($('title').text());
    }
    expect(titles.size).toBe(3);
  });

  it('leads to the developer agreement of the operator, where there is one', async () => {
    app.config.DEVELOPER_AGREEMENT_URL = 'https://operator.example/agreement';
    const { status, headers } = await anonymous.get('/docs/agreement/');
    app.config.DEVELOPER_AGREEMENT_URL = undefined;
    expect([status, headers.location]).toEqual([302, expect.stringContaining('/outgoing/')]);
  });

  it('contains commands for this service', async () => {
    const first = textOf(await anonymous.get('/docs/first-addon/'));
    expect(first).toContain(`--amo-base-url ${app.config.BASE_URL}/api/v5/`);
    const verify = textOf(await anonymous.get('/docs/verify/'));
    expect(verify).toContain(`curl -sSO ${app.config.BASE_URL}/signing/root.pem`);
  });

  it('states whether versions are approved automatically', async () => {
    expect(textOf(await anonymous.get('/docs/review/'))).toContain('never approved automatically');
    app.config.REVIEW_AUTO_APPROVE_HOURS = 36;
    expect(textOf(await anonymous.get('/docs/review/'))).toContain('automatically after 36 hours');
    app.config.REVIEW_AUTO_APPROVE_HOURS = undefined;
  });

  it('shows the versions of each application, and its id', async () => {
    await app.sql(
      `INSERT INTO application_version (app, version, code) VALUES ('mail_client', '199.7', 199070000000000)`,
    );
    const text = textOf(await anonymous.get('/docs/application-versions/'));
    expect(text).toMatch(/Mail client.*\{3550f703-e582-4d05-9a08-453d09bdfdc6\}.* 199\.7/);
  });

  it('shows every limit of docs/limits.md', async () => {
    const text = withoutSpaces(textOf(await anonymous.get('/docs/limits/')));
    const rows = readFileSync(join(ROOT, 'docs/limits.md'), 'utf8').match(/^\| .* \|$/gm) ?? [];
    const [first = '', ...others] = rows.filter((row) => !row.includes('---'));
    expect(others.length).toBeGreaterThan(40);
    const plain = (cell: string) =>
      cell
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll('`', '')
        .trim();
    for (const row of [first, ...others]) {
      for (const cell of row.split('|').map(plain)) expect(text).toContain(withoutSpaces(cell));
    }
  });
});

describe('the reference of the API', () => {
  it.each(['v3', 'v4', 'v5'])('shows every address of %s with its parameters', async (version) => {
    const page = await reference(version);
    expect(page.status).toBe(200);
    const text = textOf(page);
    const { json } = await app.anonymous.get(`/docs/openapi-${version}.json`);
    const { paths, components } = json as {
      paths: Record<string, Record<string, { summary: string; parameters?: { name: string }[] }>>;
      components: { schemas: Record<string, object> };
    };
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, { summary, parameters = [] }] of Object.entries(operations)) {
        expect(text).toContain(`${method.toUpperCase()} ${path}`);
        expect(text).toContain(summary);
        for (const { name } of parameters) expect(page.text).toContain(`<code>${name}</code>`);
      }
    }
    for (const name of Object.keys(components.schemas)) expect(page.text).toContain(`id="schema-${name}"`);
  });

  it('has an element for each link inside, and no id twice', async () => {
    for (const version of ['v3', 'v4', 'v5']) {
      const $ = documentOf(await reference(version));
      const valuesOf = (name: string) => [...$(`[${name}]`)].map((element) => $(element).attr(name) ?? '');
      const ids = valuesOf('id');
      expect(new Set(ids).size).toBe(ids.length);
      const targets = valuesOf('href').filter((href) => href.startsWith('#'));
      expect(ids).toEqual(expect.arrayContaining(targets.map((href) => href.slice(1))));
    }
  });

  it('is small when compressed', async () => {
    for (const version of ['v3', 'v4', 'v5']) {
      const { text } = await reference(version);
      expect(gzipSync(text).length).toBeLessThan(40_000);
    }
  });

  it('does not exist for other versions', async () => {
    for (const version of ['v1', 'v4dev', 'constructor', '%00']) {
      expect((await anonymous.get(`/docs/api/${version}/`)).status).toBe(404);
      expect((await anonymous.get(`/docs/api/${version}/try/`)).status).toBe(404);
    }
  });
});

describe('/docs/api/<version>/try/', () => {
  it('loads Swagger UI from this service, with a policy of its own', async () => {
    const { status, headers, text } = await anonymous.get('/docs/api/v5/try/');
    expect(status).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;",
    );
    expect(policy).not.toContain('trusted-types');
    expect(text).toContain('data-document="/docs/openapi-v5.json"');
    expect(text).toContain('href="/docs/api/v5/"');
    const [script = ''] = /\/assets\/[0-9a-f]{16}\/try\.js/.exec(text) ?? [];
    for (const name of ['try.js', 'swagger-ui.css', 'swagger-ui-bundle.js']) {
      const file = await anonymous.get(script.replace('try.js', name));
      expect([file.status, file.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });

  it('is the only page with that policy', async () => {
    const { headers } = await reference('v5');
    expect(headers['content-security-policy']).toContain("style-src 'self'; img-src 'self';");
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
  });
});
