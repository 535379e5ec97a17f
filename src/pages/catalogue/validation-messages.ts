/* The messages of the validator with their filters, as a part of a page. */
import { html } from 'hono/html';
import type {
  MessageFieldsFragment,
  ValidationPageQuery,
  ValidationSourceQuery,
} from '../../generated/operations/graphql.ts';
import type { CodeLine } from '../components/code-table.ts';
import { filterList } from '../components/filter-list.ts';
import { type ListedMessage, messageList, ruleName } from '../components/message-list.ts';
import { notice } from '../components/notice.ts';
import { pager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import { codedMessageOf } from '../messages.ts';
import type { Ui } from '../ui.ts';
import { queryString } from './addresses.ts';

type Validation = NonNullable<NonNullable<ValidationPageQuery['upload']>['validation']>;
type Message = MessageFieldsFragment;
type Severity = Message['type'];

/** Parameters of the page; absent ones are null. */
export interface MessageFilter {
  severity: Severity | null;
  file: string | null;
  rule: string | null;
  page: string | null;
}

const PAGE_SIZE = 100;

const SEVERITIES = ['ERROR', 'WARNING', 'NOTICE'] as const;

const KINDS = { ERROR: 'error', WARNING: 'warning', NOTICE: 'notice' } as const;

/** A filter by one property of the messages. */
interface Filter {
  name: 'severity' | 'file' | 'rule';
  valueOf(message: Message): string | null;
}

const FILTERS: readonly Filter[] = [
  { name: 'severity', valueOf: ({ type }) => KINDS[type] },
  { name: 'file', valueOf: ({ file }) => file },
  { name: 'rule', valueOf: ({ code }) => code },
];

/** The chosen values by the name of their parameter. */
type Chosen = Readonly<Record<Filter['name'], string | null>>;

const matches = (chosen: Chosen, message: Message, except?: Filter): boolean =>
  FILTERS.every(
    (filter) => filter === except || chosen[filter.name] === null || filter.valueOf(message) === chosen[filter.name],
  );

type Excerpts = NonNullable<NonNullable<ValidationSourceQuery['upload']>['sourceExcerpts']>;

/** The place of a message in a file of the package; null for messages without a line. */
const placeOf = ({ file, line, column }: Message) => (file === null || line === null ? null : { file, line, column });

/** The places of the messages that the page shows, in their order. */
export const shownPlaces = (validation: Validation, filter: MessageFilter) =>
  shownMessages(validation, filter).shown.flatMap((message) => placeOf(message) ?? []);

/** The messages that match the filters, and those of the page. */
function shownMessages({ messages }: Pick<Validation, 'messages'>, filter: MessageFilter) {
  const chosen: Chosen = { ...filter, severity: filter.severity === null ? null : KINDS[filter.severity] };
  const found = messages.filter((message) => matches(chosen, message));
  const pageCount = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const number = Math.min(pageCount, Math.max(1, Number(/^\d{1,6}$/.exec(filter.page ?? '')?.[0] ?? 1)));
  return { chosen, pageCount, number, shown: found.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE) };
}

interface Shown {
  /** Path of the page. */
  address: string;
  filter: MessageFilter;
  /** Lines of the package at `shownPlaces`; null for visitors who may not read it. */
  excerpts: Excerpts | null;
}

/** The results of the validator. */
export function validationMessages(ui: Ui, validation: Validation, { address, filter, excerpts }: Shown): Html {
  const { messages, errors, warnings, notices } = validation;
  const { t } = ui;
  const heading = html`<h2 id="messages">${t('validation.messages')}</h2>
<p>${t('validation.errors', { count: errors })} · ${t('validation.warnings', { count: warnings })} · ${t('validation.notices', { count: notices })}</p>`;
  if (messages.length === 0) return html`${heading}${notice(ui, { kind: 'ok', text: t('validation.no-messages') })}`;
  const { chosen, pageCount, number, shown } = shownMessages(validation, filter);
  const remaining = [...(excerpts ?? [])];
  const list = html`${shown.length === 0 ? html`<p>${t('validation.nothing-found')} <a href="${address}#messages">${t('validation.all-messages')}</a></p>` : ''}
${messageList(
  ui,
  shown.map((found) => {
    const excerpt = placeOf(found) === null ? null : remaining.shift();
    return { ...listedMessage(found), source: excerpt ? codeLines(excerpt, found) : null };
  }),
)}
${pager(ui, { page: number, pageCount, hrefOf: (page) => addressOf(address, { ...chosen, page: page === 1 ? null : String(page) }) })}`;
  if (messages.length === 1) return html`${heading}${list}`;
  const groups = FILTERS.map((each) => ({
    title: t(`validation.by-${each.name}`),
    items: itemsOf(ui, each, { messages, chosen, address }),
  }));
  return html`${heading}<div class="columns side-first"><div>${filterList(ui, groups)}</div><div>${list}</div></div>`;
}

const codeLines = ({ lines }: NonNullable<Excerpts[number]>, { line }: Message): CodeLine[] =>
  lines.map(({ number, text, cutBefore, cutAfter }) => ({
    ...{ number, text, isCutBefore: cutBefore > 0, isCutAfter: cutAfter > 0 },
    kind: number === line ? 'marked' : 'same',
  }));

/** A message as the list of messages shows it. */
export function listedMessage(found: MessageFieldsFragment): ListedMessage {
  const { type, message, reason, explanation, ...rest } = found;
  const texts = {
    text: codedMessageOf(reason) ?? message,
    description: codedMessageOf(explanation) ?? rest.description,
  };
  return { ...rest, ...texts, kind: KINDS[type] };
}

/** The page with these filters. */
const addressOf = (address: string, values: Readonly<Record<string, string | null>>): string =>
  `${address}${queryString(values)}#messages`;

interface Counting {
  messages: readonly Message[];
  chosen: Chosen;
  address: string;
}

/** The values of a filter with the number of messages under the other filters; a link of the current one removes it. */
function itemsOf(ui: Ui, filter: Filter, { messages, chosen, address }: Counting) {
  const counts = new Map<string, number>();
  for (const message of messages) {
    const value = filter.valueOf(message);
    if (value !== null && matches(chosen, message, filter)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const values =
    filter.name === 'severity'
      ? SEVERITIES.map((severity) => KINDS[severity]).filter((kind) => counts.has(kind))
      : [...counts.keys()].sort();
  return values.map((value) => {
    const isCurrent = chosen[filter.name] === value;
    return {
      text:
        filter.name === 'severity'
          ? ui.t(`validation.severity.${value}` as 'validation.severity.error')
          : filter.name === 'rule'
            ? ruleName(ui, value)
            : html`<bdi dir="ltr">${value}</bdi>`,
      href: addressOf(address, { ...chosen, page: null, [filter.name]: isCurrent ? null : value }),
      count: counts.get(value) ?? 0,
      isCurrent,
    };
  });
}
