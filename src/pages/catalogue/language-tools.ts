import { html } from 'hono/html';
import {
  type Application,
  LanguageToolsPageDocument,
  type LanguageToolsPageQuery,
} from '../../generated/operations/graphql.ts';
import { dataTable } from '../components/data-table.ts';
import { localText } from '../components/local-text.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { pathOf } from './addresses.ts';
import { appTabs } from './categories.ts';
import * as params from './params.ts';

const DEFAULT_APP: Application = 'DESKTOP_BROWSER';

/** Dictionaries and language packs by language. */
export const languageToolsPage = page({
  path: '/language-tools/',
  visitor: 'all',
  query: { app: params.appParam, appversion: params.appVersionParam },
  document: LanguageToolsPageDocument,
  variables: ({ query }) => ({ app: query.app ?? DEFAULT_APP, appVersion: query.appversion }),
  view: (data, { query }, ui) => ({
    title: ui.t('catalogue.languages'),
    canonical: '/language-tools/',
    section: 'language-tools',
    main: languagesMain(ui, data, query.app ?? DEFAULT_APP, query.appversion),
  }),
});

function languagesMain(ui: Ui, data: LanguageToolsPageQuery, app: Application, appversion: string | null): Html {
  const { t } = ui;
  const rows = rowsOf(ui, data);
  const columns = [t('ui.language'), t('catalogue.type.LANGUAGE'), t('catalogue.type.DICTIONARY')];
  return html`<div class="page-head"><h1>${t('catalogue.languages')}</h1>
<p class="lead">${t('catalogue.languages.lead')}</p></div>
${appTabs(ui, app, (each) => `/language-tools/?app=${each}`)}
<form class="form inline" action="/language-tools/">
<input type="hidden" name="app" value="${app.toLowerCase()}">
<div class="form-field"><label for="appversion">${t('catalogue.appversion')}</label><input type="text" id="appversion" name="appversion" value="${appversion ?? ''}" dir="ltr" size="8" placeholder="60.0"></div>
<button class="button">${t('catalogue.show')}</button>
</form>
${
  rows.length === 0
    ? html`<p>${t('catalogue.languages.none')}</p>`
    : dataTable(ui, {
        id: 'languages',
        caption: t('catalogue.languages'),
        isCaptionHidden: true,
        isEven: true,
        columns,
        rows,
      })
}`;
}

interface Row {
  locale: string;
  name: string;
  packs: LanguageToolsPageQuery['packs'];
  dictionaries: LanguageToolsPageQuery['dictionaries'];
}

/** One row for each language by its name; those of the interface's language first. */
function rowsOf(ui: Ui, { packs, dictionaries }: LanguageToolsPageQuery): Html[][] {
  const rows = new Map<string, Row>();
  const rowOf = (locale: string | null): Row => {
    const key = locale ?? '';
    const row = rows.get(key) ?? { locale: key, name: nameOf(ui, key), packs: [], dictionaries: [] };
    rows.set(key, row);
    return row;
  };
  for (const pack of packs) rowOf(pack.addon.targetLocale).packs.push(pack);
  for (const dictionary of dictionaries) rowOf(dictionary.addon.targetLocale).dictionaries.push(dictionary);
  const isOwn = ({ locale }: Row) => (locale.split('-')[0] === ui.language ? 0 : 1);
  const sorted = [...rows.values()].sort(
    (one, other) => isOwn(one) - isOwn(other) || one.name.localeCompare(other.name, ui.language),
  );
  return sorted.map((row) => [
    html`${row.name} <bdi dir="ltr" class="count">${row.locale}</bdi>`,
    links(row.packs.map((pack) => html`${link(ui, pack.addon)}${version(pack.compatibleVersion)}`)),
    links(
      row.dictionaries.map(
        ({ addon }) =>
          html`${link(ui, addon)}${addon.localeDisambiguation && html` <span class="count"><bdi>${addon.localeDisambiguation}</bdi></span>`}`,
      ),
    ),
  ]);
}

const nameOf = (ui: Ui, locale: string): string =>
  locale === '' ? String(ui.t('catalogue.language.none')) : ui.format.languageName(locale);

const version = (compatible: { version: string } | null): Html =>
  compatible === null ? html`` : html` <bdi dir="ltr" class="count">${compatible.version}</bdi>`;

type Tool = Pick<LanguageToolsPageQuery['packs'][number]['addon'], 'url' | 'slug' | 'name'>;

const link = (ui: Ui, { url, slug, name }: Tool): Html =>
  html`<a href="${pathOf(url)}">${name?.value ? localText(ui, name) : slug}</a>`;

const links = (items: readonly Html[]): Html =>
  items.length === 0 ? html`–` : html`<ul class="plain-list">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
