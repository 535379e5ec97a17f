import { html } from 'hono/html';
import { NotPermittedError } from '../../errors.ts';
import { AdminHealthPageDocument, type AdminHealthPageQuery } from '../../generated/operations/graphql.ts';
import { type BadgeKind, badge } from '../components/badge.ts';
import { dataTable } from '../components/data-table.ts';
import { facts } from '../components/facts.ts';
import { notice } from '../components/notice.ts';
import { moment } from '../components/time.ts';
import { type Html, joined } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { dueTime, jobsUrl } from './jobs.ts';

type Health = NonNullable<AdminHealthPageQuery['serviceHealth']>;
type Jobs = NonNullable<AdminHealthPageQuery['jobHealth']>;
type Worker = Health['workers'][number];

/** A part of the service: how it is, and in which words. */
interface State {
  kind: Extract<BadgeKind, 'ok' | 'warning' | 'error'>;
  text: Html | string;
}

const DAY_MS = 86_400_000;
/** The certificate of the signer should be replaced. */
const SOON_MS = 30 * DAY_MS;
/** A job that is due starts within moments while a worker is free. */
const LATE_MS = 5 * 60_000;

/** The state of the service. Leads those who may not see it to the first page of the administration that they may open. */
export const healthPage = page({
  path: '/admin/',
  visitor: 'account',
  document: AdminHealthPageDocument,
  variables: ({ viewer }) => ({ isOperator: isOperator(viewer) }),
  view: ({ serviceState, serviceHealth: health, jobHealth: jobs }, { viewer }, ui) => {
    const [first] = viewer?.adminPages ?? [];
    if (!health || !jobs) {
      if (first === undefined) throw new NotPermittedError();
      return redirect(adminUrl(first));
    }
    const { t } = ui;
    const parts: [PageTextKey, State][] = [
      ['admin.health.read-only', readOnlyState(ui, serviceState.isReadOnly)],
      [
        'admin.health.database',
        { kind: 'ok', text: t('admin.health.postgresql', { version: ltr(health.databaseVersion) }) },
      ],
      ['admin.health.search', searchState(ui, health)],
      ['admin.health.disk', diskState(ui, health)],
      ['admin.health.storage', storageState(ui, health)],
      ['admin.health.verification', verificationState(ui, health)],
      ['admin.health.workers', workersState(ui, health)],
      ['admin.health.queue', queueState(ui, jobs)],
      ['admin.health.mail', mailState(ui, health)],
    ];
    return adminPage(ui, {
      tab: 'health',
      body: html`${overall(
        ui,
        parts.map(([, state]) => state),
      )}
${facts(ui, { items: bySeverity(parts).map(([term, state]) => ({ term: t(term), value: stateHtml(ui, state) })) })}
${health.workers.length > 0 && html`<h2>${t('admin.health.workers')}</h2>${workerTable(ui, health.workers)}`}
${jobs.tasks.length > 0 && html`<h2>${t('admin.health.queue')}</h2>${taskTable(ui, jobs)}`}`,
    });
  },
});

const SEVERITY: Readonly<Record<State['kind'], number>> = { error: 0, warning: 1, ok: 2 };

/** What is to be fixed first, otherwise in their order. */
const bySeverity = <Part extends readonly [PageTextKey, State]>(parts: readonly Part[]): readonly Part[] =>
  parts.toSorted(([, one], [, other]) => SEVERITY[one.kind] - SEVERITY[other.kind]);

/** Whether all is well, in one sentence. */
function overall(ui: Ui, states: readonly State[]): Html {
  const { t } = ui;
  const numberOf = (kind: State['kind']) => states.filter((state) => state.kind === kind).length;
  const [errors, warnings] = [numberOf('error'), numberOf('warning')];
  if (errors + warnings === 0) return notice(ui, { kind: 'ok', title: t('admin.health.all-well') });
  return notice(ui, {
    kind: errors > 0 ? 'error' : 'warning',
    title: html`${errors > 0 ? t('admin.health.to-fix', { count: errors }) : t('admin.health.works')} ${warnings > 0 && t('admin.health.to-watch', { count: warnings })}`,
  });
}

const isOperator = (viewer: Ui['viewer']): boolean => viewer?.adminPages.includes('health') === true;

const ltr = (text: string): Html => html`<bdi dir="ltr">${text}</bdi>`;

const stateHtml = (ui: Ui, { kind, text }: State): Html =>
  html`${badge(ui, { kind, text: ui.t(`admin.state.${kind}`), icon: kind === 'ok' ? 'check' : kind })} ${text}`;

const readOnlyState = ({ t }: Ui, isReadOnly: boolean): State =>
  isReadOnly ? { kind: 'warning', text: t('admin.health.frozen') } : { kind: 'ok', text: t('admin.health.writable') };

function searchState({ t }: Ui, { hasSearchServer, isSearchDegraded, hasRefusedSearches }: Health): State {
  if (!hasSearchServer) return { kind: 'ok', text: t('admin.health.search-postgresql') };
  if (isSearchDegraded) return { kind: 'error', text: t('admin.health.search-degraded') };
  if (hasRefusedSearches) return { kind: 'warning', text: t('admin.health.search-refused') };
  return { kind: 'ok', text: t('admin.health.search-server') };
}

function diskState({ t, format }: Ui, { freeDiskMb, minFreeDiskMb }: Health): State {
  const text = t('admin.health.free', {
    free: format.bytes(freeDiskMb * 1024 * 1024),
    limit: format.bytes(minFreeDiskMb * 1024 * 1024),
  });
  if (freeDiskMb < minFreeDiskMb) return { kind: 'error', text };
  return { kind: freeDiskMb < 2 * minFreeDiskMb ? 'warning' : 'ok', text };
}

function storageState({ t }: Ui, { storageProblem, damagedFiles, storageVerification }: Health): State {
  if (storageProblem !== null) return { kind: 'error', text: html`<span lang="en" dir="ltr">${storageProblem}</span>` };
  if (damagedFiles > 0) return { kind: 'error', text: t('admin.health.damaged', { count: damagedFiles }) };
  return {
    kind: 'ok',
    text: t(storageVerification === null ? 'admin.health.storage-unverified' : 'admin.health.storage-works'),
  };
}

function verificationState(ui: Ui, { storageVerification: last }: Health): State {
  const { t } = ui;
  if (last === null) {
    return {
      kind: 'warning',
      text: t('admin.health.never-verified', { command: html`<code>addons storage verify</code>` }),
    };
  }
  const text = t('admin.health.verified', {
    time: moment(ui, last.finished),
    checked: last.checked,
    ...{ lost: last.lost, damaged: last.damaged, unreferenced: last.unreferenced },
  });
  return { kind: last.lost + last.damaged > 0 ? 'error' : last.unreferenced > 0 ? 'warning' : 'ok', text };
}

function workersState({ t }: Ui, { workers }: Health): State {
  if (workers.length === 0) return { kind: 'error', text: t('admin.health.no-worker') };
  if (workers.some(({ isValidatorReady }) => isValidatorReady === false)) {
    return { kind: 'error', text: t('admin.health.validators-fail') };
  }
  const isEnding = workers.some(({ signerExpires }) => Date.parse(signerExpires) - Date.now() < SOON_MS);
  if (isEnding) return { kind: 'warning', text: t('admin.health.signer-ends') };
  return { kind: 'ok', text: t('admin.health.alive', { count: workers.length }) };
}

/** The numbers are the sums of the table below. */
function queueState(ui: Ui, { tasks, scheduled, failed, oldestDue, nextDue }: Jobs): State {
  const { t } = ui;
  const waiting = tasks.reduce((all, task) => all + task.waiting - task.scheduled, 0);
  const retrying = tasks.reduce((all, task) => all + task.retrying, 0);
  const sum = [
    t('admin.health.waiting-jobs', { count: waiting }),
    ...(retrying === 0 ? [] : [t('admin.health.retrying-jobs', { count: retrying })]),
    ...(oldestDue === null ? [] : [t('admin.health.oldest', { time: moment(ui, oldestDue) })]),
    ...(scheduled === 0 ? [] : [t('admin.health.scheduled-jobs', { count: scheduled })]),
    ...(nextDue === null ? [] : [t('admin.health.next-due', { time: dueTime(ui, nextDue) })]),
  ];
  if (failed > 0) {
    const count = t('admin.health.failed-jobs', { count: failed });
    const link = html`<a href="${jobsUrl({ state: 'failed' })}">${t('admin.health.run-again', { count: failed })}</a>`;
    return { kind: 'warning', text: joined([count, link, ...sum], ' ') };
  }
  const isLate = oldestDue !== null && Date.now() - Date.parse(oldestDue) > LATE_MS;
  return { kind: isLate ? 'warning' : 'ok', text: joined(sum, ' ') };
}

function mailState(ui: Ui, { hasMailServer, waitingMails, retryingMails, failedMails }: Health): State {
  const { t, viewer } = ui;
  const counts = joined(
    [
      t('admin.health.waiting-mails', { count: waitingMails }),
      ...(retryingMails === 0 ? [] : [t('admin.health.retrying-mails', { count: retryingMails })]),
      ...(failedMails === 0 ? [] : [t('admin.health.failed-mails', { count: failedMails })]),
    ],
    ' ',
  );
  const isLinked = waitingMails + failedMails > 0 && viewer?.adminPages.includes('mail') === true;
  const sum = isLinked ? html`<a href="${adminUrl('mail')}">${counts}</a>` : counts;
  if (!hasMailServer) return { kind: 'warning', text: html`${t('admin.health.no-mail-server')} ${sum}` };
  return { kind: retryingMails + failedMails > 0 ? 'warning' : 'ok', text: sum };
}

function workerTable(ui: Ui, workers: readonly Worker[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    ...{ id: 'workers', caption: t('admin.health.workers'), isCaptionHidden: true },
    isStacked: true,
    columns: (['host', 'started', 'last-seen', 'validators', 'signer'] as const).map((name) =>
      t(`admin.column.${name}`),
    ),
    rows: workers.map(({ host, started, lastSeen, isValidatorReady, signer, signerExpires }) => [
      ltr(host),
      moment(ui, started),
      moment(ui, lastSeen),
      validatorBadge(ui, isValidatorReady),
      html`${ltr(signer)} <span class="muted">${t('admin.health.until', { time: moment(ui, signerExpires) })}</span>`,
    ]),
  });
}

function validatorBadge(ui: Ui, isReady: boolean | null): Html {
  if (isReady === null) return badge(ui, { kind: 'info', text: ui.t('admin.validators.starting') });
  return isReady
    ? badge(ui, { kind: 'ok', text: ui.t('admin.validators.ready') })
    : badge(ui, { kind: 'error', text: ui.t('admin.validators.failing') });
}

function taskTable(ui: Ui, { tasks }: Jobs): Html {
  const { t, format } = ui;
  const states = ['waiting', 'running', 'retrying', 'failed'] as const;
  return dataTable(ui, {
    ...{ id: 'tasks', caption: t('admin.health.queue'), isCaptionHidden: true },
    isStacked: true,
    columns: [
      'admin.column.task',
      ...states.map((state) => ({ number: t(`admin.job.${state}`) })),
      { number: t('admin.job.scheduled') },
      'admin.column.oldest',
      'admin.column.next-due',
    ],
    rows: tasks.map((each) => [
      html`<a href="${jobsUrl({ task: each.task, state: 'all' })}">${ltr(each.task)}</a>`,
      ...states.map((state) => format.number(state === 'waiting' ? each.waiting - each.scheduled : each[state])),
      format.number(each.scheduled),
      each.oldestDue === null ? t('admin.health.none-due') : moment(ui, each.oldestDue),
      each.nextDue === null ? '–' : dueTime(ui, each.nextDue),
    ]),
  });
}
