import { html } from 'hono/html';
import { describe, expect, it } from 'vitest';
import { categoryName } from '../../src/pages/components/category-name.ts';
import { chart } from '../../src/pages/components/chart.ts';
import { codeTable } from '../../src/pages/components/code-table.ts';
import { confirmForm } from '../../src/pages/components/confirm-form.ts';
import { findForm } from '../../src/pages/components/find-form.ts';
import { type FormPart, formElement } from '../../src/pages/components/form.ts';
import { localText } from '../../src/pages/components/local-text.ts';
import { pager } from '../../src/pages/components/pager.ts';
import { permissionList } from '../../src/pages/components/permission-list.ts';
import type { Html } from '../../src/pages/html.ts';
import { translator } from '../../src/pages/texts.ts';
import type { RefusedForm, Ui } from '../../src/pages/ui.ts';
import { formatOf } from '../../src/texts/format.ts';
import { documentOf, textOf } from '../support/pages.ts';

const ui: Ui = {
  ...{
    language: 'en',
    direction: 'ltr',
    theme: null,
    viewer: null,
    siteNotice: null,
    readOnly: null,
    hasShortcuts: true,
    path: '/',
    formAction: null,
    csrfToken: 'token',
  },
  ...{ t: translator('en'), format: formatOf('en'), onceId: 'id' },
  form: () => null,
};

const refusing = (refused: RefusedForm): Ui => ({ ...ui, form: (name) => (name === 'edit' ? refused : null) });
const shown = async (content: Html) => textOf({ text: String(await content) });

const PARTS: readonly FormPart[] = [
  {
    kind: 'text',
    name: 'name',
    label: 'Name',
    hint: 'Shown to all.',
    isRequired: true,
    value: 'stored',
    maxLength: 50,
  },
  { kind: 'textarea', name: 'notes', label: 'Notes', value: 'stored' },
  { kind: 'checkbox', name: 'agreed', label: 'Agreed', isChecked: true },
  {
    kind: 'radio',
    name: 'channel',
    label: 'Channel',
    isRequired: true,
    options: [{ value: 'listed', text: 'Listed' }],
  },
  {
    kind: 'language',
    language: 'he',
    isDefault: true,
    parts: [{ kind: 'text', name: 'title.he', label: 'Title', language: 'he' }],
  },
];

describe('a form that others may change', () => {
  const expected = { name: 'stored', agreed: true, 'range.a': '', tags: ['one', 'two'] };
  const show = async (sender: Ui) =>
    String(await formElement(sender, { name: 'edit', parts: PARTS, submit: 'Save', expected }));
  const carried = (text: string) =>
    documentOf({ text })('[name^="expected."]')
      .serializeArray()
      .map(({ name, value }) => `${name.replace('expected.', '')}=${value}`);

  it('carries what its fields replace', async () => {
    expect(carried(await show(ui))).toEqual(['name=stored', 'agreed=true', 'range.a=', 'tags=one', 'tags=two']);
  });

  it('shows both values of a changed field, and replaces the present one from then on; others it keeps', async () => {
    const values = new Map([
      ['name', ['<typed>']],
      ['expected.name', ['old']],
      ['expected.agreed', ['']],
      ['expected.range.a', ['1']],
    ]);
    const text = await show(refusing({ values, errors: {}, summary: [], changed: ['name', 'range'] }));
    expect(textOf({ text })).toContain('Name Yours <typed> Stored now stored');
    expect(documentOf({ text })('.hub-versions')).toHaveLength(1);
    expect(carried(text)).toEqual(['name=stored', 'agreed=', 'range.a=', 'tags=one', 'tags=two']);
  });

  it('shows choices by their names', async () => {
    const values = new Map([['expected.agreed', ['']]]);
    const text = await show(refusing({ values, errors: {}, summary: [], changed: ['agreed', 'channel'] }));
    expect(textOf({ text })).toContain('Agreed Yours No Stored now Yes');
  });
});

describe('a form', () => {
  it('ties labels and hints to its controls and carries name and token', async () => {
    const text = String(await formElement(ui, { name: 'edit', parts: PARTS, submit: 'Save' }));
    expect(text).toContain('<form method="post" action="#result" class="form" id="edit">');
    expect(text).toContain('name="form" value="edit"');
    expect(text).toContain('name="csrf" value="token"');
    expect(text).toMatch(/<label for="edit-name">Name<\/label><div class="field-hint" id="edit-name-hint">/);
    expect(text).toMatch(
      /id="edit-name" name="name" value="stored"[^>]* required maxlength="50" aria-describedby="edit-name-hint"/,
    );
    expect(text).toMatch(/name="agreed" value="true" checked/);
    expect(text).toMatch(/name="title.he"[^>]* lang="he" dir="rtl"/);
  });

  it('shows addresses from left to right, in texts of all languages', async () => {
    const parts = (['text', 'url', 'email'] as const).map((kind) => ({
      kind,
      name: kind,
      label: kind,
      language: 'he',
    }));
    const text = String(await formElement(ui, { name: 'edit', parts, submit: 'Save' }));
    expect(text).toMatch(/name="text"[^>]* lang="he" dir="rtl"/);
    for (const name of ['url', 'email']) {
      expect(documentOf({ text })(`input[name=${name}]`).attr('dir')).toBe('ltr');
    }
  });

  it('keeps a locked check box of a refused form, which browsers do not send', async () => {
    const locked = { kind: 'checkbox', name: 'always', label: 'Always', isChecked: true, isLocked: true } as const;
    const refused = { values: new Map(), errors: {}, summary: ['Too many requests.'], changed: [] };
    const text = String(await formElement(refusing(refused), { name: 'edit', parts: [locked], submit: 'Save' }));
    expect(text).toMatch(/name="always" value="true" checked disabled/);
  });

  it('shows what was typed and the errors of a refused form, with links to the fields', async () => {
    const refused = {
      values: new Map([['name', ['<typed>']]]),
      errors: { name: ['Too short.'], 'title.he': ['Missing.'] },
      summary: ['Changed since.'],
      changed: [],
    };
    const text = String(await formElement(refusing(refused), { name: 'edit', parts: PARTS, submit: 'Save' }));
    expect(text).toMatch(/role="alert" tabindex="-1"/);
    expect(text).toContain('<li>Changed since.</li>');
    expect(text).toContain('<a href="#edit-name">Name: Too short.</a>');
    expect(text).toContain('<a href="#edit-title-he">Title: Missing.</a>');
    expect(text).toMatch(
      /value="&lt;typed&gt;"[^>]* aria-describedby="edit-name-hint edit-name-error" aria-invalid="true"/,
    );
    // Fields that were sent empty or unchecked do not return to the stored value.
    expect(text).not.toContain('stored');
    expect(text).not.toContain('checked');
  });

  it('is multipart with a file, and shows a consequence', async () => {
    const parts: FormPart[] = [{ kind: 'file', name: 'file', label: 'Package', accept: '.xpi' }];
    expect(String(await formElement(ui, { name: 'send', parts, submit: 'Send' }))).toContain(
      'enctype="multipart/form-data"',
    );
    const props = {
      name: 'delete',
      consequences: ['It goes.'],
      keeps: ['Files stay.'],
      submit: 'Delete',
      cancelHref: '/back',
    };
    expect(await shown(confirmForm(ui, props))).toBe('What happens It goes. What stays Files stay. Delete Cancel');
  });
});

describe('lists', () => {
  it.each([
    [1, 1, ''],
    [1, 3, '1 2 3 Next'],
    [5, 9, 'Previous 1 … 4 5 6 … 9 Next'],
    [3, 9, 'Previous 1 2 3 4 … 9 Next'],
    [9, 9, 'Previous 1 … 8 9'],
  ])('have a pager on page %i of %i', async (page, pageCount, expected) => {
    expect(await shown(pager(ui, { page, pageCount, hrefOf: (number) => `?page=${number}` }))).toBe(expected);
  });

  it('explain permissions and name unknown ones', async () => {
    const props = {
      permissions: ['tabs', 'odd', '<all_urls>'],
      hosts: ['https://a.example/*'],
      optional: ['tabs', 'history'],
      ...NO_DATA,
    };
    expect(await shown(permissionList(ui, { ...props, previous: ['tabs', 'https://a.example/*'] }))).toBe(
      'See addresses and titles of all tabs tabs odd New in this version Read and change data of all sites <all_urls> ' +
        'New in this version Read and change data of https://a.example/* May request 1 more later Read and change your browsing history history',
    );
    const none = { permissions: [], hosts: [], optional: [], previous: null, ...NO_DATA };
    expect(await shown(permissionList(ui, none))).toBe('Needs no special permissions');
  });

  it('explain the data that an add-on collects', async () => {
    const props = { permissions: [], hosts: [], optional: [], previous: null, ...NO_DATA };
    const data = { data: ['locationInfo', 'odd'], optionalData: ['searchTerms'], newData: ['odd'] };
    expect(await shown(permissionList(ui, { ...props, ...data }))).toBe(
      'Needs no special permissions Data that it collects or sends Where you are locationInfo odd New in this version ' +
        'May ask to collect more later What you search for searchTerms',
    );
    expect(await shown(permissionList(ui, { ...props, data: ['none'] }))).toBe(
      'Needs no special permissions Data that it collects or sends Its developers say that it collects no data',
    );
  });
});

/** A package that does not say which data it collects. */
const NO_DATA = { data: [], optionalData: [], newData: [] };

describe('texts', () => {
  it('are marked with their language unless it is that of the page', async () => {
    const marked = async (locale: string | null) => String(await localText(ui, { value: '<x>', locale }));
    expect(await marked('en-US')).toBe('<bdi>&lt;x&gt;</bdi>');
    expect(await marked('he')).toBe('<bdi lang="he" dir="rtl">&lt;x&gt;</bdi>');
    expect(await marked(null)).toBe('<bdi>&lt;x&gt;</bdi>');
  });

  it('have visible control characters and an anchor for each line if they are code', async () => {
    const lines = [{ number: 7, text: 'a\u202eb <i>', kind: 'inserted' as const }];
    const text = String(await codeTable(ui, { id: 'm', label: 'Code', lines, below: () => [html`<p>Look</p>`] }));
    expect(text).toContain('id="m-L7"');
    expect(text).toContain('<ins>a&lt;U+202E&gt;b &lt;i&gt;</ins>');
    expect(text).toContain('<td colspan="3"><p>Look</p></td>');
  });
});

describe('a chart', () => {
  it.each([
    [
      [0, 0],
      ['4', '3', '2', '1', '0'],
    ],
    [
      [0, 2_100],
      ['2,400', '1,800', '1,200', '600', '0'],
    ],
    [
      [3, 37],
      ['40', '30', '20', '10', '0'],
    ],
    [
      [70_000, 81_000],
      ['100,000', '75,000', '50,000', '25,000', '0'],
    ],
  ])('has round steps for %j', async (values, steps) => {
    const points = values.map((value, index) => ({ date: `2026-11-0${index + 1}`, value }));
    const text = await shown(chart(ui, { id: 'c', title: 'Users', summary: 'Sums.', points }));
    expect(text).toContain(steps.join(' '));
    expect(text).toContain('Nov 1, 2026 ');
  });

  it('draws one value as a line and none as nothing', async () => {
    const draw = async (values: number[]) =>
      String(
        await chart(ui, {
          id: 'c',
          title: 'x',
          summary: 'y',
          points: values.map((value) => ({ date: '2026-11-01', value })),
        }),
      );
    expect(await draw([4])).toContain('class="chart-line" d="M0 0H600"');
    expect(await draw([])).not.toContain('chart-line');
  });
});

describe('the name of a category', () => {
  it("is translated for the built-in one, and not for an operator's own", async () => {
    const german: Ui = { ...ui, language: 'de', t: translator('de') };
    const nameOf = (slug: string, value: string) =>
      shown(categoryName(german, { slug, name: { value, locale: 'en-US' } }));
    expect(await nameOf('other', 'Other')).toBe('Sonstiges');
    expect(await nameOf('own', 'Other')).toBe('Other');
    expect(await nameOf('other', 'The rest')).toBe('The rest');
  });
});

describe('a form that finds entries', () => {
  it('shows the value that counts, and keeps all values of other parameters', () => {
    const search = new URLSearchParams('q=a&q=b&type=x&type=y&other=z');
    const form = findForm(ui, {
      id: 'find',
      action: '/',
      search,
      fields: [{ name: 'q', label: 'Q' }],
      kept: ['type'],
      submit: 'Find',
    });
    const $ = documentOf({ text: String(form) });
    expect(new URLSearchParams($('form').serialize()).toString()).toBe('type=x&type=y&q=b');
  });
});
