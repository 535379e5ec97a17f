import { html } from 'hono/html';
import {
  SignatureLogEntryPageDocument,
  type SignatureLogEntryPageQuery,
  SignatureLogPageDocument,
  type SignatureLogPageQuery,
} from '../../generated/operations/graphql.ts';
import { segmentParam, textParam } from '../../http/params.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { dataTable } from '../components/data-table.ts';
import { facts } from '../components/facts.ts';
import { findForm } from '../components/find-form.ts';
import { notice } from '../components/notice.ts';
import { cursorPager } from '../components/pager.ts';
import { exactMoment } from '../components/time.ts';
import { code, type Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';

type Log = SignatureLogPageQuery['signatureLog'];
type Entry = SignatureLogEntryPageQuery['signatureLog']['nodes'][number];

const LOG = '/signing/log/';

const entryPath = (serial: string): string => `${LOG}${encodeURIComponent(serial)}/`;
const filled = (value: string | null): string | null => value?.trim() || null;

const crumbs = (ui: Ui, ...more: { text: Html; href?: string }[]): Html =>
  breadcrumbs(ui, [
    { text: ui.t('catalogue.home'), href: '/' },
    { text: ui.t('signing.title'), href: '/signing/' },
    ...more,
  ]);

/** The public log of all certificates, newest first, by add-on and version. A serial number leads to its entry. */
export const signatureLogPage = page({
  path: LOG,
  visitor: 'all',
  query: {
    guid: textParam('Guid of the add-on.'),
    version: textParam('Version number.'),
    serial: textParam('Serial number of the certificate.'),
    after: textParam('Cursor of the entry that the list starts after.'),
  },
  document: SignatureLogPageDocument,
  variables: ({ query: { guid, version, after } }) => ({
    filter: { guid: filled(guid), version: filled(version) },
    after: filled(after),
  }),
  view: ({ signatureLog }, { query, search }, ui) => {
    const { t } = ui;
    const serial = filled(query.serial);
    if (serial !== null) return redirect(entryPath(serial));
    const isFiltered = filled(query.guid) !== null || filled(query.version) !== null;
    return {
      title: t('signing.log'),
      ...(isFiltered ? { robots: 'noindex' as const } : { canonical: LOG }),
      main: html`${crumbs(ui, { text: t('signing.log') })}
<h1>${t('signing.log')}</h1>
<p class="prose">${t('signing.log-lead')}</p>
${finder(ui, search)}
${entries(ui, signatureLog, search, isFiltered)}`,
    };
  },
});

const finder = (ui: Ui, search: URLSearchParams): Html =>
  findForm(ui, {
    ...{ id: 'log', action: LOG, search, submit: ui.t('signing.find') },
    fields: (['guid', 'version', 'serial'] as const).map((name) => ({
      ...{ name, label: ui.t(`signing.field.${name}`), direction: 'ltr' },
    })),
  });

function entries(ui: Ui, { totalCount, nodes, pageInfo }: Log, search: URLSearchParams, isFiltered: boolean): Html {
  const { t } = ui;
  if (nodes.length === 0) {
    if (!isFiltered) return html`<p>${t('signing.empty')}</p>`;
    return notice(ui, {
      kind: 'warning',
      text: t('signing.nothing-found'),
      actions: html`<a href="${LOG}">${t('signing.all')}</a>`,
    });
  }
  return html`${dataTable(ui, {
    id: 'log-table',
    caption: t('signing.entries', { count: totalCount }),
    columns: ['signing.field.guid', 'signing.field.version', 'signing.field.serial', 'signing.written'],
    rows: nodes.map((entry) => [
      html`<bdi dir="ltr">${entry.guid}</bdi>`,
      html`<bdi dir="ltr">${entry.version}</bdi>`,
      html`<a href="${entryPath(entry.serial)}">${code(entry.serial)}</a>`,
      exactMoment(ui, entry.created),
    ]),
  })}
${cursorPager(ui, { search, pageInfo })}`;
}

/** One entry with the values that its hash is made of, and the command that checks it. */
export const signatureEntryPage = page({
  path: `${LOG}:serial/`,
  visitor: 'all',
  params: { serial: segmentParam('Serial number of the certificate, hex.') },
  document: SignatureLogEntryPageDocument,
  variables: ({ path }) => path,
  view: ({ signatureLog }, { path }, ui) => {
    const [entry] = signatureLog.nodes;
    if (entry === undefined) return notSigned(ui, path.serial);
    return path.serial === entry.serial ? shown(ui, entry) : redirect(entryPath(entry.serial), 301);
  },
});

function notSigned(ui: Ui, serial: string) {
  const { t } = ui;
  return {
    title: t('signing.unknown-title'),
    status: 404,
    robots: 'noindex' as const,
    main: html`${crumbs(ui, { text: t('signing.log'), href: LOG }, { text: t('signing.unknown-title') })}
<h1>${t('signing.unknown-title')}</h1>
<p>${t('signing.unknown', { serial: code(serial) })}</p>
<p>${t('signing.unknown-next')}</p>
<p><a href="${LOG}">${t('signing.all')}</a></p>`,
  };
}

/** `text` as one word of a POSIX shell. */
const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

/** The command that prints the hash of an entry. */
const hashCommand = ({ hashInput }: Entry): string => `printf %s ${quoted(hashInput)} | sha256sum`;

function shown(ui: Ui, entry: Entry) {
  const { t } = ui;
  const title = t('signing.entry', { serial: entry.serial });
  const ofAddon = `${LOG}?${new URLSearchParams({ guid: entry.guid })}`;
  return {
    title,
    canonical: entryPath(entry.serial),
    main: html`${crumbs(ui, { text: t('signing.log'), href: LOG }, { text: html`<bdi dir="ltr">${entry.serial}</bdi>` })}
<h1>${t('signing.entry', { serial: html`<bdi dir="ltr">${entry.serial}</bdi>` })}</h1>
<p class="prose">${t('signing.entry-lead')}</p>
${facts(ui, {
  items: [
    { term: t('signing.index'), value: html`<bdi dir="ltr">${entry.index}</bdi>` },
    { term: t('signing.field.guid'), value: html`<a href="${ofAddon}"><bdi dir="ltr">${entry.guid}</bdi></a>` },
    { term: t('signing.field.version'), value: html`<bdi dir="ltr">${entry.version}</bdi>` },
    { term: t('signing.written'), value: exactMoment(ui, entry.created) },
    { term: t('signing.issuer'), value: html`<bdi dir="ltr">${entry.issuer}</bdi>` },
    { term: t('signing.input'), value: code(entry.inputSha256) },
    { term: t('signing.previous-hash'), value: code(entry.previousHash) },
    { term: t('signing.hash'), value: code(entry.hash) },
  ],
})}
<h2>${t('signing.check-entry')}</h2>
<p class="prose">${t('signing.check-entry-lead')}</p>
<pre dir="ltr" tabindex="0"><code>${hashCommand(entry)}</code></pre>
<p class="prose">${t('signing.check-file')} <a href="/signing/">${t('signing.title')}</a></p>`,
  };
}
