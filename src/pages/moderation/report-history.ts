/* What moderators have done about a report, in the page about it. */
import { html } from 'hono/html';
import { cursorPager } from '../components/pager.ts';
import { type ThreadEntry, thread } from '../components/thread.ts';
import { moment } from '../components/time.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import type { PageReport } from './report-facts.ts';

type HistoryEvent = NonNullable<PageReport['history']>['nodes'][number];

/** What moderators have decided and sent, newest first, so that no reporter gets two replies. */
export function reportHistory(ui: Ui, { replies, history, reporter }: PageReport, search: URLSearchParams): Html {
  const { t } = ui;
  if (history === null || (history.nodes.length === 0 && reporter === null)) return html``;
  const count = replies?.totalCount ?? 0;
  return html`<section class="stack" aria-labelledby="history"><h2 id="history">${t('moderation.history')}</h2>
${reporter !== null && html`<p>${count === 0 ? t('moderation.no-replies') : t('moderation.replies', { count })}</p>`}
${thread(
  ui,
  history.nodes.map((event) => historyEntry(ui, event)),
)}
${cursorPager(ui, { search, pageInfo: history.pageInfo, fragment: '#history' })}</section>`;
}

/** A decision that changed the state; others changed the note alone. */
const isChange = ({ stateBefore, stateAfter }: Pick<HistoryEvent, 'stateBefore' | 'stateAfter'>): boolean =>
  stateAfter !== null && stateAfter !== stateBefore;

/** What is not in the state of the report: who reopened it and when, its former decision, and the replies that its reporter has. */
export function formerStates(ui: Ui, { state, latest, replies }: PageReport): Html {
  const { t } = ui;
  const changes = latest?.nodes.filter(isChange) ?? [];
  const [change] = changes;
  const former = changes.find(({ stateBefore }) => stateBefore !== 'OPEN')?.stateBefore ?? null;
  const count = replies?.totalCount ?? 0;
  const parts = [
    ...(change?.stateAfter === 'OPEN'
      ? [t('moderation.reopened-line', { name: moderatorName(ui, change), time: moment(ui, change.created) })]
      : []),
    ...(former !== null && former !== state
      ? [t('moderation.before-line', { state: t(`report.state.${former}`) })]
      : []),
    ...(count > 0 ? [t('moderation.replies', { count })] : []),
  ];
  if (parts.length === 0) return html``;
  return html`<span class="muted small">${parts.map((part, index) => html`${index > 0 && ' · '}${part}`)}</span>`;
}

const moderatorName = ({ t }: Ui, { user }: Pick<HistoryEvent, 'user'>): Html =>
  html`<bdi>${user?.name ?? t('moderation.former-moderator')}</bdi>`;

const MARKS: Readonly<Record<string, Pick<ThreadEntry, 'icon' | 'kind'>>> = {
  OPEN: { icon: 'warning', kind: 'warning' },
  VALID: { icon: 'check', kind: 'ok' },
  DISMISSED: { icon: 'close' },
  DUPLICATE: { icon: 'flag' },
};

function historyEntry(ui: Ui, event: HistoryEvent): ThreadEntry {
  const { t } = ui;
  const { id, created, reply, note, stateAfter } = event;
  const name = moderatorName(ui, event);
  const internal = note === null ? null : html`${t('moderation.history.internal')} ${note}`;
  const entry = { id: `event-${id}`, time: created, text: reply?.text ?? internal };
  if (stateAfter === null) {
    const recipient = reply?.recipient && html`<bdi>${reply.recipient.name}</bdi>`;
    return {
      ...entry,
      title: recipient ? t('moderation.reply-sent', { name, recipient }) : t('moderation.reply-sent-hidden', { name }),
    };
  }
  if (!isChange(event)) return { ...entry, title: t('moderation.history.note', { name }), icon: 'file' };
  return { ...entry, title: t(`moderation.history.${stateAfter}`, { name }), ...MARKS[stateAfter] };
}
