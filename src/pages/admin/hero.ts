import { html } from 'hono/html';
import {
  AdminCreateHeroEntryDocument,
  AdminDeleteHeroEntryDocument,
  AdminHeroEntryPageDocument,
  AdminHeroPageDocument,
  type AdminHeroPageQuery,
  AdminUpdateHeroEntryDocument,
} from '../../generated/operations/graphql.ts';
import { addonReference, heroEntryId } from '../../graphql/references.ts';
import { recordId } from '../../http/params.ts';
import { ADDON_TYPES } from '../../package/enums.ts';
import { addonPath } from '../catalogue/addon-head.ts';
import { changedTexts } from '../changes.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { dataTable } from '../components/data-table.ts';
import { type FormPart, formElement } from '../components/form.ts';
import { longText } from '../components/local-text.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { choice, optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { hubName } from '../hub/hub-addon.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { expectedIn, type NamedText, textParts } from './names.ts';

type Entry = AdminHeroPageQuery['heroEntries']['nodes'][number];

const MAX_TEXT = 1000;
const TYPES = ADDON_TYPES.map((type) => type.toUpperCase() as Uppercase<typeof type>);
const COLORS = { gradientStart: '#20123a', gradientEnd: '#054096' };

const editHref = ({ databaseId }: Entry): string => `${adminUrl('hero')}edit/?id=${databaseId}`;

const textsOf = ({ t }: Ui, description: Entry['description']): NamedText[] => [
  { name: 'description', label: t('admin.curated.text'), texts: description, maxLength: MAX_TEXT, rows: 3 },
];

/** What home pages of front ends begin with: the entries, one of which is shown each day, and the way to the second part. */
export const heroPage = page({
  path: '/admin/hero/',
  visitor: 'account',
  query: CURSOR_PARAM,
  document: AdminHeroPageDocument,
  variables: ({ query }) => query,
  view: ({ heroEntries: { totalCount, nodes, pageInfo }, hero }, { search }, ui) => {
    const { t } = ui;
    const texts = textsOf(ui, null);
    return adminPage(ui, {
      tab: 'hero',
      body: html`<p>${t('admin.hero.why')}</p>
${totalCount === 0 ? html`<p>${t('admin.hero.none')}</p>` : table(ui, nodes, totalCount)}
${cursorPager(ui, { search, pageInfo })}
<h2>${t('admin.hero.secondary')}</h2>
<p>${t(hero.secondary.isEdited ? 'admin.hero.secondary-edited' : 'admin.hero.secondary-default')}</p>
<p><a class="button" href="${adminUrl('hero')}secondary/">${t('admin.hero.secondary-edit')}</a></p>
<h2>${t('admin.hero.add')}</h2>
${formElement(ui, {
  name: 'hero-add',
  expected: expectedIn(texts),
  parts: [
    {
      ...{ kind: 'text', name: 'addon', label: t('admin.column.addon'), hint: t('admin.hero.addon-hint') },
      ...{ direction: 'ltr', maxLength: 255 },
    },
    {
      kind: 'group',
      legend: t('admin.hero.external'),
      hint: t('admin.hero.external-hint'),
      parts: externalParts(ui, null),
    },
    ...lookParts(ui, { ...COLORS, featuredImage: null }),
    ...textParts(texts),
  ],
  submit: t('admin.hero.submit'),
})}`,
    });
  },
});

/** What names an add-on elsewhere; null for a new one, or one here. */
const externalParts = ({ t }: Ui, external: Entry['external']): FormPart[] => [
  {
    ...{ kind: 'text', name: 'name', label: t('admin.hero.name'), value: external?.name ?? null },
    ...{ isRequired: external !== null, maxLength: 255 },
  },
  {
    ...{ kind: 'url', name: 'homepage', label: t('admin.hero.homepage'), value: external?.homepage ?? null },
    ...{ isRequired: external !== null, maxLength: 255 },
  },
  {
    ...{ kind: 'text', name: 'guid', label: t('report.guid'), value: external?.guid ?? null },
    ...{ direction: 'ltr', maxLength: 255 },
  },
  {
    ...{ kind: 'select', name: 'type', label: t('admin.column.type'), value: external?.type ?? 'EXTENSION' },
    ...{ isRequired: true, options: TYPES.map((type) => ({ value: type, text: t(`catalogue.type.${type}`) })) },
  },
];

type Look = Pick<Entry, 'gradientStart' | 'gradientEnd' | 'featuredImage'>;

const lookParts = ({ t }: Ui, { featuredImage, ...colors }: Look): FormPart[] => [
  ...(['gradientStart', 'gradientEnd'] as const).map((name) => ({
    ...{ kind: 'text' as const, name, label: t(`admin.hero.${name}`), value: colors[name] },
    ...{ hint: t('admin.hero.color-hint'), isRequired: true, direction: 'ltr' as const, maxLength: 7 },
  })),
  {
    ...{ kind: 'url', name: 'featuredImage', label: t('admin.hero.image'), value: featuredImage },
    ...{ hint: t('admin.hero.image-hint'), maxLength: 255 },
  },
];

const nameOf = (ui: Ui, { addon, addonGuid, external }: Entry): Html => {
  if (external !== null) return html`<bdi>${external.name}</bdi>`;
  return addon === null ? html`<bdi dir="ltr">${addonGuid}</bdi>` : hubName(ui, addon);
};

function table(ui: Ui, entries: readonly Entry[], count: number): Html {
  const { t } = ui;
  return dataTable(ui, {
    ...{ id: 'hero', caption: t('admin.hero.sum', { count }) },
    isStacked: true,
    columns: ['admin.column.addon', 'admin.hero.background', 'admin.hero.image', 'admin.curated.text'],
    rows: entries.map((entry) => [
      html`<a href="${editHref(entry)}">${nameOf(ui, entry)}</a>${entry.external !== null && html` <span class="muted">${t('admin.hero.elsewhere')}</span>`}`,
      html`${swatch(entry)} <bdi dir="ltr">${entry.gradientStart} – ${entry.gradientEnd}</bdi>`,
      t(entry.featuredImage === null ? 'admin.hero.no-image' : 'admin.hero.has-image'),
      longText(ui, entry.description),
    ]),
  });
}

/** The background, small. */
const swatch = ({ databaseId, gradientStart, gradientEnd }: Entry): Html =>
  html`<svg class="swatch" width="48" height="20" aria-hidden="true"><defs><linearGradient id="gradient-${databaseId}"><stop offset="0" stop-color="${gradientStart}"/><stop offset="1" stop-color="${gradientEnd}"/></linearGradient></defs><rect width="48" height="20" rx="4" fill="url(#gradient-${databaseId})"/></svg>`;

/** One entry: the add-on elsewhere, background, texts, deletion. */
export const heroEntryPage = page({
  path: '/admin/hero/edit/',
  visitor: 'account',
  query: { id: recordId('Id of the entry.') },
  document: AdminHeroEntryPageDocument,
  variables: ({ query }) => ({ id: heroEntryId(query.id) }),
  view: ({ heroEntry: entry }, _input, ui) => {
    if (entry === null) return null;
    const { t } = ui;
    const { id, addon, external, gradientStart, gradientEnd, featuredImage, description } = entry;
    const texts = textsOf(ui, description);
    const { name, homepage, guid, type } = external ?? { name: '', homepage: '', guid: '', type: '' };
    return adminPage(ui, {
      tab: 'hero',
      heading: nameOf(ui, entry),
      title: external?.name ?? entry.addonGuid ?? '',
      body: html`${addon !== null && html`<p><a href="${addonPath(addon)}">${t('admin.public')}</a></p>`}
${formElement(ui, {
  name: 'hero-entry',
  hidden: { id },
  expected: {
    ...expectedIn(texts),
    ...{ gradientStart, gradientEnd, featuredImage },
    ...(external === null ? {} : { name, homepage, guid, type }),
  },
  parts: [...(external === null ? [] : externalParts(ui, external)), ...lookParts(ui, entry), ...textParts(texts)],
  submit: t('ui.save'),
})}
<h2>${t('admin.delete')}</h2>
${confirmForm(ui, {
  ...{ name: 'hero-delete', consequences: [t('admin.hero.delete-happens')] },
  ...{ submit: t('admin.hero.delete'), cancelHref: adminUrl('hero'), hidden: { id } },
})}`,
    });
  },
});

const LOOK = { gradientStart: textField, gradientEnd: textField, featuredImage: optionalText };
const EXTERNAL = { name: textField, homepage: textField, guid: optionalText };

/** Without a name and an address, it is an add-on here. */
const externalIn = <Type>({
  name,
  homepage,
  guid,
  type,
}: {
  name: string;
  homepage: string;
  guid: string | null;
  type: Type;
}) => (name === '' && homepage === '' ? null : { name, homepage, guid, type });

export const addHeroForm = form({
  page: heroPage,
  name: 'hero-add',
  fields: { addon: optionalText, ...EXTERNAL, type: choice(...TYPES), ...LOOK, description: changedTexts },
  document: AdminCreateHeroEntryDocument,
  variables: ({ addon, name, homepage, guid, type, ...input }) => ({
    input: {
      ...{ addon: addon === null ? null : addonReference(addon), ...input },
      external: externalIn({ name, homepage, guid, type }),
    },
  }),
});

export const editHeroForm = form({
  page: heroEntryPage,
  name: 'hero-entry',
  fields: {
    ...{ id: textField, ...EXTERNAL, type: choice(...TYPES, ''), ...LOOK, description: changedTexts },
    ...{ 'expected.gradientStart': optionalText, 'expected.gradientEnd': optionalText },
    ...{ 'expected.featuredImage': textField, 'expected.name': optionalText, 'expected.homepage': optionalText },
    ...{ 'expected.guid': optionalText, 'expected.type': choice(...TYPES, '') },
  },
  document: AdminUpdateHeroEntryDocument,
  variables: (values) => {
    const { id, name, homepage, guid, type, gradientStart, gradientEnd, featuredImage, description } = values;
    return {
      input: {
        ...{ id, gradientStart, gradientEnd, featuredImage, description },
        external: type === '' ? null : { name, homepage, guid, type },
        expected: {
          ...{ gradientStart: values['expected.gradientStart'], gradientEnd: values['expected.gradientEnd'] },
          featuredImage: values['expected.featuredImage'],
          ...(type === '' ? {} : { name: values['expected.name'], homepage: values['expected.homepage'] }),
          ...(type === '' ? {} : { guid: values['expected.guid'] ?? '', type: values['expected.type'] || null }),
        },
      },
    };
  },
});

export const deleteHeroForm = form({
  page: heroEntryPage,
  name: 'hero-delete',
  fields: { id: textField },
  document: AdminDeleteHeroEntryDocument,
  variables: (input) => ({ input }),
  done: () => doneAt(adminUrl('hero'), 'hero-delete'),
});
