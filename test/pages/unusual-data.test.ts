/* Pages about data that imports and long histories have, and most add-ons have not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { textOf, Visitor, visitorOf } from '../support/pages.ts';

let app: TestApp;
let anonymous: Visitor;
let developer: Client;
let owner: Visitor;
let authors: number[];

beforeAll(async () => {
  app = await startApp();
  anonymous = new Visitor(app);
  developer = await app.developer();
  owner = await visitorOf(app, developer);
  authors = [Number(developer.accountId)];
});
afterAll(() => app.close());

const headingOf = ({ text }: { text: string }): string => textOf({ text: /<h1>(.*?)<\/h1>/s.exec(text)?.[1] ?? '' });

describe('an add-on without a name', () => {
  it('is called by its id in the developer hub', async () => {
    await addon({ authors, slug: 'nameless', guid: 'nameless@example', name: {} });
    const root = await owner.get('/developers/');
    expect(root.text).toContain('href="/developers/addon/nameless/"><bdi dir="ltr">nameless@example</bdi></a>');
    const overview = await owner.get('/developers/addon/nameless/');
    expect(headingOf(overview)).toBe('nameless@example');
    expect(overview.text).toContain('<title>nameless@example – ');
  });

  it('is called by its slug in feeds, whose entries need a title', async () => {
    await addon({ slug: 'untitled', name: {} });
    expect((await anonymous.get('/feeds/new.atom')).text).toContain('<title>untitled</title>');
    expect((await anonymous.get('/addon/untitled/feed.atom')).text).toContain('<title>untitled 1.0</title>');
  });
});
