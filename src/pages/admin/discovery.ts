import { html } from 'hono/html';
import {
  AdminDeleteDiscoveryEntryDocument,
  AdminDiscoveryEntryPageDocument,
  AdminDiscoveryPageDocument,
  type AdminDiscoveryPageQuery,
  AdminUpsertDiscoveryEntryDocument,
} from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { labelParam } from '../../http/params.ts';
import { addonPath } from '../catalogue/addon-head.ts';
import { changed, changedTexts } from '../changes.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { dataTable } from '../components/data-table.ts';
import { buttonForm, formElement } from '../components/form.ts';
import { longText } from '../components/local-text.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { integerField, optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { hubName } from '../hub/hub-addon.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { expectedIn, type NamedText, textParts } from './names.ts';

type Entry = AdminDiscoveryPageQuery['discoveryEntries']['nodes'][number];

const MAX_TEXT = 1000;

const keyOf = ({ addonGuid, edition, locale }: Entry) => ({
  ...{ addon: addonGuid, edition: edition ?? '', locale: locale ?? '' },
});

const editHref = (entry: Entry): string => `${adminUrl('discovery')}edit/?${new URLSearchParams(keyOf(entry))}`;

const textsOf = ({ t }: Ui, entry: Pick<Entry, 'heading' | 'description'> | null): NamedText[] => [
  { name: 'heading', label: t('admin.discovery.heading'), texts: entry?.heading ?? null, maxLength: MAX_TEXT },
  {
    ...{ name: 'description', label: t('admin.curated.text'), texts: entry?.description ?? null },
    ...{ maxLength: MAX_TEXT, rows: 3 },
  },
];

/** What the add-ons manager of browsers recommends: the lists for editions and languages, in their order. */
export const discoveryPage = page({
  path: '/admin/discovery/',
  visitor: 'account',
  query: CURSOR_PARAM,
  document: AdminDiscoveryPageDocument,
  variables: ({ query }) => query,
  view: ({ discoveryEntries: { totalCount, nodes, pageInfo } }, { search }, ui) => {
    const { t } = ui;
    const texts = textsOf(ui, null);
    return adminPage(ui, {
      tab: 'discovery',
      body: html`<p>${t('admin.discovery.why')}</p>
${totalCount === 0 ? html`<p>${t('admin.discovery.none')}</p>` : table(ui, nodes, totalCount)}
${cursorPager(ui, { search, pageInfo })}
<h2>${t('admin.discovery.add')}</h2>
${formElement(ui, {
  name: 'discovery-add',
  expected: expectedIn(texts),
  parts: [
    {
      ...{ kind: 'text', name: 'addon', label: t('admin.column.addon'), hint: t('admin.addon.hint') },
      ...{ isRequired: true, direction: 'ltr', maxLength: 255 },
    },
    {
      ...{ kind: 'text', name: 'edition', label: t('admin.column.edition') },
      ...{ hint: t('admin.discovery.edition-hint'), direction: 'ltr', maxLength: 255 },
    },
    {
      ...{ kind: 'text', name: 'locale', label: t('admin.column.locale') },
      ...{ hint: t('admin.featured.locale-hint'), direction: 'ltr', maxLength: 20 },
    },
    ...textParts(texts),
  ],
  submit: t('admin.discovery.submit'),
})}`,
    });
  },
});

function table(ui: Ui, entries: readonly Entry[], count: number): Html {
  const { t, format } = ui;
  return dataTable(ui, {
    ...{ id: 'discovery', caption: t('admin.discovery.sum', { count }) },
    isStacked: true,
    columns: [
      ...(['addon', 'edition', 'locale'] as const).map((name) => t(`admin.column.${name}`)),
      { number: 'admin.column.position' },
      'admin.discovery.heading',
      'admin.column.actions',
    ],
    rows: entries.map((entry) => [
      html`<a href="${editHref(entry)}">${nameOf(ui, entry)}</a>`,
      entry.edition === null ? t('admin.discovery.all-editions') : html`<bdi dir="ltr">${entry.edition}</bdi>`,
      entry.locale === null ? t('admin.featured.all-languages') : html`<bdi dir="ltr">${entry.locale}</bdi>`,
      format.number(entry.position),
      longText(ui, entry.heading),
      entry.position === 1
        ? ''
        : buttonForm(ui, {
            name: 'discovery-up',
            hidden: { ...keyOf(entry), position: String(entry.position) },
            button: html`${t('hub.up')}<span class="visually-hidden">: <bdi dir="ltr">${entry.addonGuid}</bdi></span>`,
          }),
    ]),
  });
}

const nameOf = (ui: Ui, { addon, addonGuid }: Entry): Html =>
  addon === null ? html`<bdi dir="ltr">${addonGuid}</bdi>` : hubName(ui, addon);

/** One add-on of a list: texts, position, removal. */
export const discoveryEntryPage = page({
  path: '/admin/discovery/edit/',
  visitor: 'account',
  query: {
    addon: labelParam('Guid of the add-on.'),
    edition: labelParam('Edition of the browser; empty for all.'),
    locale: labelParam('Language of the browser; empty for all.'),
  },
  document: AdminDiscoveryEntryPageDocument,
  variables: ({ query }) => ({ guid: query.addon ?? '' }),
  view: ({ discoveryEntries: { nodes } }, { query }, ui) => {
    const entry = nodes.find(
      ({ edition, locale }) => (edition ?? '') === (query.edition ?? '') && (locale ?? '') === (query.locale ?? ''),
    );
    if (entry === undefined) return null;
    const { t } = ui;
    const texts = textsOf(ui, entry);
    const { position, listSize, addonGuid, addon } = entry;
    return adminPage(ui, {
      tab: 'discovery',
      heading: nameOf(ui, entry),
      title: addonGuid,
      body: html`<p class="muted">${placeOf(ui, entry)}</p>
${addon !== null && html`<p><a href="${addonPath(addon)}">${t('admin.public')}</a></p>`}
${formElement(ui, {
  name: 'discovery-entry',
  hidden: keyOf(entry),
  expected: { ...expectedIn(texts, entry.locale), position: String(position) },
  parts: [
    ...textParts(texts, { further: entry.locale }),
    {
      ...{ kind: 'number', name: 'position', value: String(position), min: '1', max: String(listSize) },
      ...{ label: t('admin.column.position'), hint: t('admin.discovery.position-hint', { count: listSize }) },
      isRequired: true,
    },
  ],
  submit: t('ui.save'),
})}
<h2>${t('ui.remove')}</h2>
${confirmForm(ui, {
  ...{ name: 'discovery-delete', consequences: [t('admin.discovery.delete-happens')] },
  ...{ submit: t('admin.discovery.delete'), cancelHref: adminUrl('discovery'), hidden: keyOf(entry) },
})}`,
    });
  },
});

/** The edition and the language of a list. */
const placeOf = ({ t }: Ui, { edition, locale }: Entry): Html =>
  html`${t('admin.column.edition')}: ${edition === null ? t('admin.discovery.all-editions') : html`<bdi dir="ltr">${edition}</bdi>`} · ${t('admin.column.locale')}: ${locale === null ? t('admin.featured.all-languages') : html`<bdi dir="ltr">${locale}</bdi>`}`;

const PLACE = { edition: optionalText, locale: optionalText };
const TEXTS = { heading: changedTexts, description: changedTexts };

/** An add-on that the list has is not changed. */
export const addDiscoveryForm = form({
  page: discoveryPage,
  name: 'discovery-add',
  fields: { addon: textField, ...PLACE, ...TEXTS },
  document: AdminUpsertDiscoveryEntryDocument,
  variables: ({ addon, ...input }) => ({ input: { addon: addonReference(addon), ...input, isNew: true } }),
});

export const moveDiscoveryForm = form({
  page: discoveryPage,
  name: 'discovery-up',
  fields: { addon: textField, ...PLACE, position: integerField },
  document: AdminUpsertDiscoveryEntryDocument,
  variables: ({ addon, position, ...place }) => ({
    input: { addon: { guid: addon }, ...place, position: (position ?? 0) - 1, expectedPosition: position },
  }),
});

export const editDiscoveryForm = form({
  page: discoveryEntryPage,
  name: 'discovery-entry',
  fields: { addon: textField, ...PLACE, ...TEXTS, position: changed(integerField) },
  document: AdminUpsertDiscoveryEntryDocument,
  variables: ({ addon, position, ...input }) => ({
    input: {
      ...{ addon: { guid: addon }, ...input },
      ...(position === null ? {} : { position: position.value, expectedPosition: position.expected }),
    },
  }),
});

export const deleteDiscoveryForm = form({
  page: discoveryEntryPage,
  name: 'discovery-delete',
  fields: { addon: textField, ...PLACE },
  document: AdminDeleteDiscoveryEntryDocument,
  variables: ({ addon, ...place }) => ({ input: { addon: { guid: addon }, ...place } }),
  done: () => doneAt(adminUrl('discovery'), 'discovery-delete'),
});
