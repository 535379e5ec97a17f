/* A form that is sent twice acts once: double clicks, reloads, forms from the history, interrupted requests. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { xpi } from '../support/packages.ts';
import { documentOf, formFields, outcomeOf, textOf, Visitor, visitorOf } from '../support/pages.ts';

const app = setUpApp();
let client: Client;
let visitor: Visitor;
const anonymous = () => new Visitor(app);

beforeAll(async () => {
  client = await app.developer();
  visitor = await visitorOf(app, client);
});

const count = async (table: string, where = 'true') =>
  (await app.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`))[0]?.n;
const REPORT = { reason: 'spam', message: 'Twice.' };

/** The report form of a page that was just loaded. */
async function reportFields(path: string): Promise<Record<string, string>> {
  const { once = '' } = await formFields(anonymous(), path, 'report');
  expect(once).toMatch(/^[\w-]{22}$/);
  return { once, ...REPORT };
}

describe('a form that is sent twice', () => {
  it('creates one key, and says that its secret was shown once, in three languages', async () => {
    const fields = { ...(await formFields(visitor, '/account/keys/', 'new-key')), label: 'once' };
    const first = await visitor.submit('/account/keys/', 'new-key', fields);
    expect(first.status).toBe(200);
    const [, secret = ''] = /--api-secret &quot;([^&]+)&quot;/.exec(first.text) ?? [];
    expect(secret).not.toBe('');
    const texts = { en: 'was shown once', de: 'wurde einmal angezeigt', he: 'הוצג פעם אחת' };
    for (const [language, text] of Object.entries(texts)) {
      const again = await visitor.submit('/account/keys/', 'new-key', fields, { 'Accept-Language': language });
      expect(again.status).toBe(409);
      expect(textOf(again)).toContain(text);
      expect(again.text).not.toContain(secret);
    }
    expect(await count('api_key', "label = 'once'")).toBe(1);
  });

  it('acts once for a double click: requests at the same time get one response, later ones its notice', async () => {
    const fields = { ...(await formFields(visitor, '/account/keys/', 'new-key')), label: 'double' };
    const csrf = await visitor.csrfToken();
    const sent = () => visitor.submit('/account/keys/', 'new-key', { ...fields, csrf });
    const replies = await Promise.all([sent(), sent(), sent()]);
    const secrets = replies.flatMap(({ text }) => /--api-secret &quot;([^&]+)&quot;/.exec(text)?.[1] ?? []);
    expect(new Set(secrets).size).toBe(1);
    expect(replies.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual(
      Array(3 - secrets.length).fill(409),
    );
    expect(await count('api_key', "label = 'double'")).toBe(1);
  });

  it('leads to where it led before, with a notice that nothing was done again', async () => {
    await addon({ slug: 'reported-twice' });
    const path = '/addon/reported-twice/report/';
    const fields = await reportFields(path);
    const first = await anonymous().submit(path, 'report', fields);
    const again = await anonymous().submit(path, 'report', fields);
    expect([first.status, again.status]).toEqual([303, 303]);
    const location = new URL(String(again.headers.location), 'http://localhost');
    expect(location.searchParams.get('done')).toBe('sent-before');
    expect(textOf(await anonymous().get(String(again.headers.location)))).toContain('Nothing was done again.');
    expect(await count('abuse_report')).toBe(1);
  });

  it('uploads one package', async () => {
    await visitor.submit('/developers/submit/', 'hub-agreement', {});
    const { once = '' } = await formFields(visitor, '/developers/submit/', 'hub-upload');
    const file = { fileName: 'a.xpi', bytes: await xpi({ guid: 'twice@example.org' }) };
    const send = () => visitor.upload('/developers/submit/', 'hub-upload', { once, channel: 'LISTED', file });
    const first = await send();
    expect(outcomeOf(await send())).toEqual([303, `${first.headers.location}?done=sent-before`]);
    expect(await count('upload', "manifest->>'guid' = 'twice@example.org'")).toBe(1);
    const other = { fileName: 'a.xpi', bytes: await xpi({ guid: 'twice@example.org', version: '2.0' }) };
    await visitor.upload('/developers/submit/', 'hub-upload', { once, channel: 'LISTED', file: other });
    expect(await count('upload', "manifest->>'guid' = 'twice@example.org'")).toBe(2);
  });
});

describe('a form acts again', () => {
  it('after a change in a page from the history, and from a page that was loaded again', async () => {
    await app.sql('DELETE FROM abuse_report');
    const fields = await reportFields('/report/');
    const guid = 'history@example.org';
    await anonymous().submit('/report/', 'report', { ...fields, addon: guid });
    await anonymous().submit('/report/', 'report', { ...fields, addon: guid, message: 'Changed.' });
    await anonymous().submit('/report/', 'report', { ...(await reportFields('/report/')), addon: guid });
    expect(await count('abuse_report')).toBe(3);
  });

  it('after a refusal whose cause is gone', async () => {
    const path = '/developers/addon/reply-later/danger';
    const made = await addon({ authors: [client.accountId ?? 0], slug: 'reply-later' });
    const fields = await formFields(visitor, path, 'hub-disable');
    app.config.READ_ONLY = true;
    const refused = await visitor.submit(path, 'hub-disable', fields);
    app.config.READ_ONLY = false;
    expect(refused.status).toBe(503);
    expect((await visitor.submit(path, 'hub-disable', fields)).status).toBe(303);
    expect(await count('addon', `id = ${made.id} AND is_disabled_by_developer`)).toBe(1);
  });

  it('for another account with the same id', async () => {
    const other = await visitorOf(app, await app.developer());
    const fields = await formFields(visitor, '/account/keys/', 'new-key');
    await visitor.submit('/account/keys/', 'new-key', { ...fields, label: 'shared' });
    await other.submit('/account/keys/', 'new-key', {
      ...{ ...fields, label: 'shared' },
      acceptDeveloperAgreement: 'true',
    });
    expect(await count('api_key', "label = 'shared'")).toBe(2);
  });
});

describe('a form whose process died', () => {
  it('does not act again by itself, says so, and can be sent again', async () => {
    await app.sql('DELETE FROM abuse_report');
    const fields: Record<string, string> = { ...(await reportFields('/report/')), addon: 'killed@example.org' };
    await anonymous().submit('/report/', 'report', fields);
    // As a process leaves it that is killed after the mutation.
    await app.sql("UPDATE sent_form SET finished = NULL, location = NULL, created = now() - interval '1 minute'");
    const again = await anonymous().submit('/report/', 'report', fields);
    expect(again.status).toBe(409);
    expect(textOf(again)).toContain('its processing was interrupted');
    expect(await count('abuse_report')).toBe(1);
    const once = documentOf(again)('[name=once]').attr('value') ?? '';
    expect(once).not.toBe(fields.once);
    expect((await anonymous().submit('/report/', 'report', { ...fields, once })).status).toBe(303);
    expect(await count('abuse_report')).toBe(2);
  });

  it('is waited for while it may still run in another process', async () => {
    const fields = { ...(await reportFields('/report/')), addon: 'slow@example.org' };
    const first = await anonymous().submit('/report/', 'report', fields);
    await app.sql('UPDATE sent_form SET finished = NULL, created = now() WHERE location = $1', [
      String(first.headers.location),
    ]);
    const again = anonymous().submit('/report/', 'report', fields);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await app.sql('UPDATE sent_form SET finished = now()');
    expect((await again).status).toBe(303);
  });
});

it('writes nothing for pages, and keeps records of forms for 24 hours', async () => {
  const before = await count('sent_form');
  await visitor.get('/account/keys/');
  await visitor.get('/developers/submit/');
  expect(await count('sent_form')).toBe(before);
  const { purgeSentForms } = await import('../../src/infra/sent-forms.ts');
  await app.sql("UPDATE sent_form SET created = now() - interval '23 hours'");
  expect(await purgeSentForms()).toBe(0);
  await app.sql("INSERT INTO sent_form (hash, created) VALUES ($1, now() - interval '25 hours')", [randomBytes(32)]);
  expect(await purgeSentForms()).toBe(1);
});
