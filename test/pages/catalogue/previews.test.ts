import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { documentOf, textOf, Visitor } from '../../support/pages.ts';

const app = setUpApp();
let anonymous: Visitor;

const PREVIEWS = [
  { position: 0, caption: { 'en-US': 'The first view' } },
  { position: 1 },
  { position: 2, caption: { 'en-US': 'The last view' } },
];

beforeAll(async () => {
  anonymous = new Visitor(app);
  await addon({ slug: 'lamp', name: { 'en-US': 'Lamp' }, previews: PREVIEWS });
  await addon({ slug: 'dusk', type: 'statictheme', name: { 'en-US': 'Dusk' }, previews: PREVIEWS.slice(0, 1) });
});

describe('the screenshots of an add-on', () => {
  it('open as pages with caption, next, previous and close', async () => {
    expect(documentOf(await anonymous.get('/addon/lamp/'))('[href^="/addon/lamp/previews/"]')).toHaveLength(3);
    const first = await anonymous.get('/addon/lamp/previews/1/');
    expect(textOf(first)).toMatch(/The first view 1 of 3 Next Close/);
    expect(first.text).toContain('<a rel="next" href="/addon/lamp/previews/2/">');
    expect(first.text).toContain('href="/addon/lamp/#previews"');
    expect(first.text).not.toContain('rel="prev"');
    const middle = await anonymous.get('/addon/lamp/previews/2/');
    expect(textOf(middle)).toMatch(/Screenshot 2 Previous 2 of 3 Next Close/);
    expect((await anonymous.get('/addon/lamp/previews/3/')).text).not.toContain('rel="next"');
  });

  it.each(['0', '4', 'x', '-1'])('number %s is no page', async (number) => {
    expect((await anonymous.get(`/addon/lamp/previews/${number}/`)).status).toBe(404);
  });
});

describe('the card of a theme', () => {
  it('shows the theme, that of another add-on its icon', async () => {
    expect((await anonymous.get('/search/?q=dusk')).text).toMatch(
      /class="addon-card with-picture">\s*<img class="addon-card-picture"/,
    );
    expect((await anonymous.get('/search/?q=lamp')).text).not.toContain('with-picture');
  });
});
