/* Pages about data that imports and long histories have, and most add-ons have not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { Visitor } from '../support/pages.ts';

let app: TestApp;
let anonymous: Visitor;

beforeAll(async () => {
  app = await startApp();
  anonymous = new Visitor(app);
});
afterAll(() => app.close());

describe('an add-on without a name', () => {
  it('is called by its slug in feeds, whose entries need a title', async () => {
    await addon({ slug: 'untitled', name: {} });
    expect((await anonymous.get('/feeds/new.atom')).text).toContain('<title>untitled</title>');
    expect((await anonymous.get('/addon/untitled/feed.atom')).text).toContain('<title>untitled 1.0</title>');
  });
});

