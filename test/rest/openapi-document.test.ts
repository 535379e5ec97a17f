import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import examples from '../../src/rest/examples.json' with { type: 'json' };
import { startApp, type TestApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { addNotes } from '../support/notes.ts';
import { readDocuments } from '../support/openapi-documents.ts';
import { xpi } from '../support/packages.ts';

interface Parameter {
  name: string;
  required?: boolean;
  description?: string;
  schema: { maxLength?: number; enum?: string[] };
}
interface Media {
  schema?: { properties?: Record<string, { enum?: string[] }> };
  example?: unknown;
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

const VERSIONS = ['v3', 'v4'] as const;
/** API versions with examples. */
const WITH_EXAMPLES = ['v3', 'v4', 'v5'] as const;
const documents = readDocuments() as unknown as Record<string, { paths: Record<string, Record<string, Operation>> }>;

function operation(version: string, method: string, path: string): Operation {
  const found = documents[version]?.paths[`/api/${version}${path}`]?.[method];
  if (found === undefined) throw new Error(`${method} ${path} is not documented`);
  return found;
}
const parameter = (of: Operation, name: string) => of.parameters?.find((each) => each.name === name);

describe.each(VERSIONS)('the OpenAPI document of %s', (version) => {
  it('requires app on the routes that do', () => {
    for (const path of ['/addons/featured/', '/addons/language-tools/']) {
      expect([path, parameter(operation(version, 'get', path), 'app')?.required]).toEqual([path, true]);
    }
    expect(parameter(operation(version, 'get', '/addons/search/'), 'app')?.required ?? false).toBe(false);
  });

  it('documents filter on the list of versions only', () => {
    const list = operation(version, 'get', '/addons/addon/{addon}/versions/');
    expect(parameter(list, 'filter')?.schema.enum).toHaveLength(3);
    expect(
      parameter(operation(version, 'get', '/addons/addon/{addon}/versions/{version_id}/'), 'filter'),
    ).toBeUndefined();
  });

  it('names the media types of files', () => {
    const { responses } = operation(version, 'get', '/file/{file_id}/{base_filename}');
    for (const status of [200, 206]) {
      expect(Object.keys(responses[status]?.content ?? {})).toEqual([
        'application/x-xpinstall',
        'application/opensearchdescription+xml',
      ]);
    }
  });

  it('lists the channels', () => {
    for (const [method, path] of [
      ['put', '/addons/{guid}/versions/{version}/'],
      ['post', '/addons/'],
    ] as const) {
      const form = operation(version, method, path).requestBody?.content['multipart/form-data'];
      expect(form?.schema?.properties?.channel?.enum).toEqual(['listed', 'unlisted']);
    }
  });

  it('limits the length of q, and describes page_size as clamped', () => {
    for (const path of ['/addons/search/', '/addons/autocomplete/']) {
      expect(parameter(operation(version, 'get', path), 'q')?.schema.maxLength).toBe(100);
    }
    for (const path of ['/addons/search/', '/addons/featured/', '/addons/addon/{addon}/versions/']) {
      expect(parameter(operation(version, 'get', path), 'page_size')?.description).toMatch(
        /50.*larger values count as 50/i,
      );
    }
  });
});

describe('the OpenAPI document of v5', () => {
  const write = operation('v5', 'patch', '/addons/addon/{addon}/versions/{version_ref}/');

  it('describes requests as JSON and as forms', () => {
    const content = write.requestBody?.content ?? {};
    expect(Object.keys(content)).toEqual(['application/json', 'multipart/form-data']);
    expect(content['application/json']?.schema?.properties).toHaveProperty('release_notes');
    expect(Object.keys(content['multipart/form-data']?.schema?.properties ?? {}).sort()).toEqual([
      ...['approval_notes', 'license', 'source', 'upload'],
    ]);
  });

  it('has each refusal of a write', () => {
    expect(Object.keys(write.responses)).toEqual(['200', '400', '401', '403', '404', '415', '429', '503']);
  });
});

describe('the examples of the OpenAPI documents', () => {
  const BASE_URL = 'https://addons.example.org';
  /** Replaces the random id of the upload. */
  const UPLOAD = '0123456789abcdef0123456789abcdef';
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
    const time = new Date('2018-10-25T09:30:00Z');
    const file = { sha256: 'a1'.repeat(32), created: time, name: 'clock-1.0.xpi' };
    const dates = { created: time, lastUpdated: time };
    const version = {
      created: time,
      reviewed: time,
      releaseNotes: { 'en-US': 'Fixes the alarm.' },
      license: { builtin: 'MIT' },
      files: [file],
    };
    const author = await app.developer();
    const profile = {
      username: 'example-developer',
      displayName: 'Example Developer',
      homepage: 'https://developer.example/',
      created: time,
    };
    const { db } = await import('../../src/infra/db.ts');
    await db.account.update({ where: { id: author.accountId ?? 0 }, data: profile });
    const clock = await addon({
      ...dates,
      slug: 'clock',
      guid: 'clock@example.org',
      name: { 'en-US': 'Clock', de: 'Uhr' },
      summary: { 'en-US': 'Shows the time.' },
      tags: ['time'],
      authors: [author.accountId ?? 0],
      featured: [{ app: 'desktop_browser' }],
      versions: [version],
    });
    await addon({
      ...dates,
      slug: 'deutsch',
      guid: 'deutsch@example.org',
      name: { 'en-US': 'German' },
      type: 'language',
      targetLocale: 'de',
      versions: [version],
    });
    const range = {
      app: 'desktop_browser',
      minVersion: '1.0',
      maxVersion: '*',
      addonMinVersion: '0',
      addonMaxVersion: '*',
    };
    await db.compatOverride.create({ data: { guid: clock.guid, name: 'Clock', ranges: { create: [range] } } });
    await db.replacement.create({ data: { guid: 'old-clock@example.org', guids: [clock.guid] } });
  });
  afterAll(() => app.close());

  const PATHS: Record<string, string> = {
    '/addons/search/': '/addons/search/?q=clock',
    '/addons/autocomplete/': '/addons/autocomplete/?q=clo',
    '/addons/addon/{addon}/': '/addons/addon/clock/',
    '/addons/addon/{addon}/feature_compatibility/': '/addons/addon/clock/feature_compatibility/',
    '/addons/addon/{addon}/eula_policy/': '/addons/addon/clock/eula_policy/',
    '/addons/addon/{addon}/versions/': '/addons/addon/clock/versions/',
    '/addons/addon/{addon}/versions/{version_id}/': '/addons/addon/clock/versions/1/',
    '/accounts/account/{account}/': '/accounts/account/example-developer/',
    '/addons/featured/': '/addons/featured/?app=desktop_browser',
    '/addons/language-tools/': '/addons/language-tools/?app=desktop_browser',
    '/addons/replacement-addon/': '/addons/replacement-addon/',
    '/addons/compat-override/': '/addons/compat-override/',
    '/addons/recommendations/': '/addons/recommendations/?recommended=false',
  };

  /** The reviewer's own note. */
  const REVIEWER_PATHS: Record<string, string> = {
    '/addons/addon/{addon}/versions/{version_id}/reviewnotes/': '/addons/addon/clock/versions/1/reviewnotes/',
    '/addons/addon/{addon}/versions/{version_id}/reviewnotes/{note_id}/':
      '/addons/addon/clock/versions/1/reviewnotes/ID/',
  };

  const SUBMISSION_PATHS: Record<string, string> = {
    '/addons/addon/{addon}/': '/addons/addon/clock/',
    '/addons/addon/{addon}/versions/': '/addons/addon/clock/versions/',
    '/addons/addon/{addon}/versions/{version_ref}/': '/addons/addon/clock/versions/1.0/',
  };

  it('are responses of the service', async () => {
    app.config.BASE_URL = BASE_URL;
    const actual: Record<string, Record<string, unknown>> = { v3: {}, v4: {}, v5: {} };
    for (const version of WITH_EXAMPLES) {
      for (const [path, address] of Object.entries(version === 'v5' ? SUBMISSION_PATHS : PATHS)) {
        const reply = await app.anonymous.get(`/api/${version}${address}`);
        expect([address, reply.status]).toEqual([address, 200]);
        (actual[version] ?? {})[path] = reply.json;
      }
    }
    const reviewer = await app.memberWith('Addons:Review');
    await app.sql(`UPDATE account SET username = 'reviewer' WHERE id = $1`, [reviewer.accountId]);
    const text = { comments: 'Please explain the permission "tabs".', created: '2018-10-25T09:30:00Z' };
    const facts = { action: 'more-information-requested', accountId: reviewer.accountId, ...text };
    const [note] = await addNotes(app, 1, [facts]);
    for (const version of VERSIONS) {
      for (const [path, address] of Object.entries(REVIEWER_PATHS)) {
        const reply = await reviewer.get(`/api/${version}${address.replace('ID', String(note))}`);
        expect([address, reply.status]).toEqual([address, 200]);
        (actual[version] ?? {})[path] = reply.json;
      }
    }
    const dev = await app.developer();
    const address = 'addons/submitted@example.org/versions/1.0/';
    await dev.put(`/api/v4/${address}`, { upload: await xpi({ guid: 'submitted@example.org', version: '1.0' }) });
    for (const version of VERSIONS) {
      const status = await dev.get(`/api/${version}/${address}`);
      const { pk } = status.json as { pk: string };
      (actual[version] ?? {})['/addons/{guid}/versions/{version}/'] = JSON.parse(status.text.replaceAll(pk, UPLOAD));
    }
    await expect(`${JSON.stringify(actual, null, 2)}\n`).toMatchFileSnapshot('../../src/rest/examples.json');
  });

  it('are in the documents', () => {
    for (const version of WITH_EXAMPLES) {
      for (const path of Object.keys(version === 'v5' ? SUBMISSION_PATHS : { ...PATHS, ...REVIEWER_PATHS })) {
        const { content } = operation(version, 'get', path).responses['200'] ?? {};
        expect([path, content?.['application/json']?.example]).toEqual([
          path,
          (examples[version] as Record<string, unknown>)[path],
        ]);
      }
    }
  });
});
