/* The form of the decisions about a version, on its review page. */
import { html } from 'hono/html';
import {
  type ReviewAddonQuery,
  ReviewDecisionDocument,
  type ReviewVersionQuery,
  type ReviewAct as SentAct,
} from '../../generated/operations/graphql.ts';
import { expectedName, isChangedByOthers } from '../changes.ts';
import { type FormPart, formElement } from '../components/form.ts';
import { fieldId } from '../components/form-field.ts';
import { notice } from '../components/notice.ts';
import { choice, type FieldReader, listField, type TypedValues, textField } from '../fields.ts';
import { ADD_BUTTON, type FormRow, form, withDone } from '../form.ts';
import type { Html } from '../html.ts';
import { channelName, noteTitle } from '../hub/states.ts';
import { type PageRedirect, type PageRow, redirect } from '../page.ts';
import type { RefusedForm, Ui } from '../ui.ts';
import { checkSummary } from './check-summary.ts';
import { draftList } from './drafts.ts';
import { newerVersion, versionLink } from './review-head.ts';
import { isDecidable, DECISION_FORM as NAME } from './reviewer-page.ts';

type Read = NonNullable<ReviewVersionQuery['addon']>;
type Version = NonNullable<Read['version']>;
type ListedVersion = Read['versions']['nodes'][number];
type Note = NonNullable<Version['reviewNotes']>['nodes'][number];
type CannedResponses = NonNullable<ReviewVersionQuery['cannedResponses']>;

const MAX_COMMENTS = 10_000;
/** What the mutation takes at once. */
const MAX_VERSIONS = 20;

/** The acts by their value in the form. */
const ACTS = {
  approve: 'APPROVE',
  reject: 'REJECT',
  request: 'REQUEST_INFORMATION',
  refer: 'REFER',
  reply: 'REPLY',
  comment: 'COMMENT',
} as const satisfies Record<string, SentAct>;
type Decision = keyof typeof ACTS;
const DECISIONS = Object.keys(ACTS) as Decision[];

/** What is possible about the newest version of a channel alone: of several versions, they take the shown one. */
const ABOUT_ONE: readonly string[] = ['reply', 'comment'];
/** Whose text is for reviewers. They send no drafts, which are for the developers. */
const FOR_REVIEWERS: readonly Decision[] = ['refer', 'comment'];

/** The name of the newest note of a version among the expected values. */
const noteName = (versionId: string): string => `newestNote.${versionId}`;

interface Shown {
  addon: NonNullable<ReviewAddonQuery['addon']>;
  /** The path of the page about this version. */
  href: string;
  version: Version;
  /** The draft whose text is edited; null for none. */
  edited: string | null;
  /** All of the add-on, newest first. */
  versions: readonly ListedVersion[];
  canned: CannedResponses;
}

/** The form of all that the viewer may do about a version, and about other waiting versions of the add-on with it. */
export function decisionPanel(ui: Ui, shown: Shown): Html {
  const { href, version, edited } = shown;
  const { t } = ui;
  const possible = DECISIONS.filter((each) => version.reviewActs.includes(ACTS[each]));
  const newer = newerVersion(version, shown.versions);
  const drafts = version.drafts?.nodes ?? [];
  const editHref = (id: string) => `${href}&edit=${encodeURIComponent(id)}`;
  // A form right after the decision would be sent twice.
  const isFolded =
    possible.length > 0 &&
    possible.every((each) => ABOUT_ONE.includes(each)) &&
    drafts.length === 0 &&
    ui.form(NAME) === null;
  return html`<section class="stack" aria-labelledby="decision"><h2 id="decision">${t('review.decision')}</h2>
${possible.length === 0 && html`${writtenSince(ui, version)}<p>${newer === null ? t('review.decided') : t('review.no-decision', { version: versionLink(shown.addon, newer) })}</p>`}
${draftList(ui, { url: version.url, drafts, edited, editHref })}
${isFolded && html`<p>${t('review.decided')}</p>`}
${possible.length > 0 && (isFolded ? html`<details><summary>${t('review.decided.write')}</summary>${actForm(ui, shown, possible)}</details>` : actForm(ui, shown, possible))}</section>`;
}

function actForm(asRequested: Ui, { version, versions, canned }: Shown, possible: readonly Decision[]): Html {
  const ui = withInserted(asRequested, canned);
  const { t } = ui;
  const others = versions.filter(({ id, reviewActs }) => id !== version.id && reviewActs.includes('APPROVE'));
  const together = version.reviewActs.includes('APPROVE') ? others.slice(0, MAX_VERSIONS - 1) : [];
  const hasDrafts = (version.drafts?.nodes ?? []).length > 0;
  const choices = possible.map((act) => ({ act, rule: textRule(act, { hasDrafts, isAlone: together.length === 0 }) }));
  const needsText = choices.every(({ rule }) => REQUIRED.includes(rule));
  return formElement(ui, {
    name: NAME,
    hidden: { id: version.id, ...(together.length === 0 ? { versions: version.id } : {}) },
    expected: Object.fromEntries(
      [version, ...together].map(({ id, newestNote }) => [noteName(id), newestNote?.id ?? '']),
    ),
    parts: [
      { kind: 'html', content: html`${writtenSince(ui, version)}${isDecidable(version) && checkSummary(ui, version)}` },
      {
        kind: 'radio',
        name: 'decision',
        label: t('review.decision.what'),
        isRequired: true,
        options: choices.map(({ act, rule }) => ({
          value: act,
          text: t(`review.decision.${act}`),
          hint: html`${effect(ui, act, version)} ${t(`review.text.${rule}`)}${hasDrafts && FOR_REVIEWERS.includes(act) && html` ${t('review.text.drafts-stay')}`}`,
        })),
      },
      ...(together.length === 0 ? [] : [versionBoxes(ui, { version, others: together, possible })]),
      { kind: 'html', content: cannedTexts(ui, canned) },
      {
        kind: 'textarea',
        name: 'comments',
        label: t('review.text'),
        isRequired: needsText,
        isRequiredByOthers: !needsText,
        maxLength: MAX_COMMENTS,
        rows: 6,
      },
    ],
    submit: t(isDecidable(version) ? 'review.send-decision' : 'review.send'),
  });
}

/** What a decision does. */
const effect = ({ t }: Ui, decided: Decision, { channel }: Version): Html =>
  t(
    decided === 'approve' && channel === 'UNLISTED'
      ? 'review.decision.approve-unlisted-hint'
      : `review.decision.${decided}-hint`,
  );

/** Whether a decision needs a text, who reads it, and what becomes of the drafts: names of texts. */
type TextRule = 'needed' | 'needed-reviewers' | 'needed-alone' | 'optional' | 'optional-reviewers' | 'optional-drafts';
const REQUIRED: readonly TextRule[] = ['needed', 'needed-reviewers'];

/** As the mutation has it: drafts about a version are a text for its developers. */
function textRule(decided: Decision, { hasDrafts, isAlone }: { hasDrafts: boolean; isAlone: boolean }): TextRule {
  if (decided === 'refer') return 'optional-reviewers';
  if (decided === 'comment') return 'needed-reviewers';
  if (!hasDrafts) return decided === 'approve' ? 'optional' : 'needed';
  return isAlone || decided === 'approve' || decided === 'reply' ? 'optional-drafts' : 'needed-alone';
}

/** The versions that a decision takes: the shown one, and others that wait. */
const versionBoxes = (
  ui: Ui,
  { version, others, possible }: { version: Version; others: readonly ListedVersion[]; possible: readonly Decision[] },
): FormPart => ({
  kind: 'checkboxes',
  name: 'versions',
  label: ui.t('review.versions'),
  hint: html`${ui.t('review.versions-hint')}${possible.some((each) => ABOUT_ONE.includes(each)) && html` ${ui.t('review.versions-one-hint')}`}`,
  isRequired: true,
  values: [version.id],
  options: [version, ...others].map(({ id, version: number, channel }) => ({
    value: id,
    text: html`<bdi dir="ltr">${number}</bdi> <span class="muted">${channelName(ui, channel)}</span>`,
  })),
});

/** The notes that others wrote after the refused form was made; nothing for a form that was not refused for them. */
function writtenSince(ui: Ui, { id, reviewNotes }: Version): Html {
  const refused = ui.form(NAME);
  if (refused === null || !isChangedByOthers(refused, noteName(id))) return html``;
  const notes = notesSince(refused, id, reviewNotes?.nodes ?? []);
  if (notes.length === 0) return html``;
  return notice(ui, {
    kind: 'warning',
    title: ui.t('review.written-since'),
    text: html`${notes.map(
      (
        note,
      ) => html`<p><strong>${noteTitle(ui, note)}</strong> · <bdi>${note.user.name}</bdi> <a href="#note-${note.databaseId}">${ui.t('review.to-note')}</a></p>
${note.comments !== '' && html`<p class="thread-text" dir="auto">${note.comments}</p>`}`,
    )}`,
  });
}

function notesSince({ values }: RefusedForm, versionId: string, notes: readonly Note[]): Note[] {
  const read = values.get(expectedName(noteName(versionId)))?.at(-1) ?? '';
  const known = notes.find(({ id }) => id === read)?.databaseId ?? 0;
  return notes.filter(({ databaseId }) => databaseId > known);
}

const CANNED = 'canned';

/**
 * The canned texts by language, that of the page first, and a button that shows the form again with the chosen one in its text. It saves
 * nothing. The enter key presses it, as the first button of the form: without a choice, the form stays as it is. So no form begins with one.
 */
function cannedTexts(ui: Ui, canned: CannedResponses): Html {
  if (canned.length === 0) return html``;
  const { t, format } = ui;
  const texts = canned.flatMap(({ id, name, text }) =>
    text.all.map(({ locale }) => ({ id, name, locale, isAlone: text.all.length === 1 })),
  );
  const isOfPage = (locale: string) => locale.split('-')[0] === ui.language;
  const groups = [...Map.groupBy(texts, ({ locale }) => locale)].toSorted(
    ([one], [other]) => Number(isOfPage(other)) - Number(isOfPage(one)),
  );
  const option = ({ id, name, locale, isAlone }: (typeof texts)[number]) => {
    // Screen readers may not read the name of the group.
    const title = isAlone ? html`${name}` : html`${name} – ${format.languageName(locale)}`;
    return html`<option value="${cannedValue(id, locale)}">${title}</option>`;
  };
  return html`<div class="cluster">
<label for="${CANNED}">${t('review.canned')}</label>
<select id="${CANNED}" name="${CANNED}"><option value="">${t('review.canned.choose')}</option>${groups.map(
    ([locale, group]) => html`<optgroup label="${format.languageName(locale)}">${group.map(option)}</optgroup>`,
  )}</select>
<button type="submit" class="button" name="${ADD_BUTTON}" value="${CANNED}" formnovalidate formaction="#${fieldId(NAME, 'comments')}">${t('review.canned-insert')}</button>
</div>`;
}

const cannedValue = (id: string, locale: string): string => `${id} ${locale}`;

/** The form with the chosen canned text after what was typed, when its button was pressed. */
function withInserted(ui: Ui, canned: CannedResponses): Ui {
  const insert = (refused: RefusedForm): RefusedForm => {
    const chosen = refused.values.get(CANNED)?.at(-1);
    const texts = canned.flatMap(({ id, text }) =>
      text.all.filter(({ locale }) => cannedValue(id, locale) === chosen).map(({ value }) => value),
    );
    if (!refused.values.has(ADD_BUTTON) || texts.length === 0) return refused;
    const typed = (refused.values.get('comments')?.at(-1) ?? '').trimEnd();
    const comments = [typed, ...texts].filter((part) => part !== '').join('\n\n');
    return { ...refused, values: new Map([...refused.values, ['comments', [comments]]]) };
  };
  const form: Ui['form'] = (name) => {
    const refused = ui.form(name);
    return refused !== null && name === NAME ? insert(refused) : refused;
  };
  return { ...ui, form };
}

/** The versions that an act takes, each with the newest note that the form was made with. */
const targets: FieldReader<{ id: string; expected: { newestNote?: string | null } }[]> = {
  read: (typed, name) => {
    const chosen = typed.get('decision')?.at(-1) ?? '';
    const ids = listField.read(typed, ABOUT_ONE.includes(chosen) ? 'id' : name);
    return ids.map((id) => ({ id, expected: expectedOf(typed, id) }));
  },
};

function expectedOf(typed: TypedValues, versionId: string): { newestNote?: string | null } {
  const value = typed.get(expectedName(noteName(versionId)))?.at(-1);
  return value === undefined ? {} : { newestNote: value || null };
}

/** To the queue: after the decision about a referred version, only its reviewers see its page. */
export const toQueueAfterDecision = (): PageRedirect => redirect(withDone('/reviewers/', NAME));

/** The row of the form on the review page. */
export const decisionForm = (page: PageRow): FormRow =>
  form({
    page,
    name: NAME,
    isExtensible: true,
    fields: { versions: targets, decision: choice(...DECISIONS), comments: textField },
    document: ReviewDecisionDocument,
    variables: ({ versions, decision: chosen, comments }) => ({ act: ACTS[chosen], versions, comments }),
  });
