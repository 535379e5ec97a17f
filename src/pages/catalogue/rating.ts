/* One rating with its reply, and the forms of those who may edit, reply, flag or decide about it. */
import { html } from 'hono/html';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  PageDecideRatingDocument,
  PageDeleteRatingDocument,
  PageFlagRatingDocument,
  PageReplyToRatingDocument,
  PageUpdateRatingDocument,
  RatingPageDocument,
  type RatingPageQuery,
  RatingsAfterDocument,
} from '../../generated/operations/graphql.ts';
import { ratingId } from '../../graphql/references.ts';
import { recordId } from '../../http/params.ts';
import { formElement } from '../components/form.ts';
import type { FormField } from '../components/form-field.ts';
import { notice } from '../components/notice.ts';
import { checkbox, choice, integerField, optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { type PageInput, page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { addonName, addonNameHtml, addonPath } from './addon-head.ts';
import { addonHeader } from './addon-header.ts';
import { madeDecisions, moderationReasons, toModeration } from './moderated-rating.ts';
import {
  bodyField,
  decisionFields,
  MAX_BODY,
  RATING_DECIDED,
  RATING_DECISIONS,
  RATING_SCORES,
  ratingArticle,
  ratingSection,
  scoreField,
} from './rating-parts.ts';
import { ratingPath } from './reviews.ts';

type Rating = NonNullable<RatingPageQuery['rating']>;

/** What the form deletes, for the message about it. */
const DELETED = ['own', 'reply'] as const;
type Deleted = (typeof DELETED)[number];

const FLAGS = ['SPAM', 'LANGUAGE', 'BUG_SUPPORT', 'OTHER'] as const;

export const ratingPage = page({
  path: '/ratings/:rating/',
  visitor: 'all',
  hidesRefusals: true,
  params: { rating: recordId('Id of the rating.') },
  document: RatingPageDocument,
  variables: ({ path }) => ({ id: ratingId(path.rating) }),
  more: {
    document: RatingsAfterDocument,
    variables: ({ rating }) => (rating?.viewerRights.includes('DECIDE') ? {} : null),
  },
  view: ({ rating }, _input, ui, more) => {
    if (rating === null) return null;
    const { t } = ui;
    const { addon, repliedTo } = rating;
    return {
      title: t('reviews.one', { name: addonName(addon) }),
      robots: 'noindex' as const,
      // Each response has ids of its own for the forms.
      neverStored: true,
      main: html`${addonHeader(ui, addon, { current: 'ratings', title: t('addon.tab.ratings') })}
<div class="prose rating-page"><h1>${t('reviews.one', { name: addonNameHtml(ui, addon) })}</h1>
<p><a href="${addonPath(addon, 'reviews/')}">${t('reviews.all')}</a>${repliedTo !== null && html` · <a href="${ratingPath(repliedTo.databaseId)}">${t('reviews.replied-to')}</a>`}</p>
${more !== null && toModeration(ui, rating, more)}
${ratingArticle(ui, rating, ratingPath)}
${moderation(ui, rating)}
${madeDecisions(ui, rating)}
${editForms(ui, rating)}
${rating.viewerRights.includes('REPLY') && replySection(ui, rating)}
${rating.viewerRights.includes('FLAG') && !rating.viewerRights.includes('DECIDE') && flagSection(ui)}
</div>`,
    };
  },
});

/** A form of the page; for those who decide about the rating behind a summary, because their decision comes first. It stays open when refused. */
function formSection(ui: Ui, { viewerRights }: Rating, { form: name, id, title, content }: FormSection): Html {
  if (!viewerRights.includes('DECIDE')) return ratingSection(id, title, content);
  return html`<details${ui.form(name) !== null && html` open`}><summary>${title}</summary>
${content}</details>`;
}

interface FormSection {
  /** The name of the form. */
  form: string;
  id: string;
  title: Html;
  content: Html;
}

function editForms(ui: Ui, rating: Rating): Html {
  const { viewerRights, isReply, score, body } = rating;
  if (!viewerRights.includes('EDIT')) return html``;
  const { t } = ui;
  const what: Deleted = isReply ? 'reply' : 'own';
  const parts = isReply
    ? [bodyField(ui, 'reviews.form.reply', body, true)]
    : [scoreField(ui, score), bodyField(ui, 'reviews.form.body', body)];
  const edit = {
    ...{ form: 'rating-edit', id: 'edit', title: t('reviews.edit') },
    content: formElement(ui, { name: 'rating-edit', parts, submit: t('reviews.form.save') }),
  };
  const remove = {
    ...{ form: 'rating-delete', id: 'delete', title: t('reviews.delete') },
    content: html`<p>${t(isReply ? 'reviews.delete-reply-lead' : 'reviews.delete-lead')}</p>
${formElement(ui, { name: 'rating-delete', hidden: { what }, parts: [], submit: t('reviews.delete'), isDanger: true })}`,
  };
  // Those who decide about it delete it by their decision, with a note.
  return html`${formSection(ui, rating, edit)}
${!viewerRights.includes('DECIDE') && formSection(ui, rating, remove)}`;
}

function replySection(ui: Ui, rating: Rating): Html {
  const { reply, viewerRights } = rating;
  const name = 'rating-reply';
  const parts = [bodyField(ui, 'reviews.form.reply', reply?.body ?? null, true)];
  const isModerator = viewerRights.includes('DECIDE');
  return formSection(ui, rating, {
    ...{ form: name, id: 'reply' },
    title: ui.t(isModerator ? 'reviews.reply-public' : reply === null ? 'reviews.reply' : 'reviews.reply-again'),
    content: html`${isModerator && html`<p>${ui.t('reviews.reply-public-lead')}</p>`}
${formElement(ui, { name, parts, submit: ui.t('reviews.form.publish') })}`,
  });
}

const flagSection = (ui: Ui): Html =>
  ratingSection(
    'flag',
    ui.t('reviews.flag'),
    formElement(ui, {
      name: 'rating-flag',
      parts: [
        {
          kind: 'radio',
          name: 'reason',
          label: ui.t('reviews.flag.reason'),
          isRequired: true,
          options: FLAGS.map((value) => ({ value, text: ui.t(`reviews.flag.${value}`) })),
        },
        {
          kind: 'textarea',
          name: 'note',
          label: ui.t('reviews.flag.note'),
          hint: ui.t('reviews.flag.note-hint'),
          isRequiredByOthers: true,
          maxLength: MAX_BODY,
          rows: 3,
        },
      ],
      submit: ui.t('reviews.flag.submit'),
    }),
  );

const floodField = ({ t }: Ui): FormField => ({
  ...{ kind: 'checkbox', name: 'includeFlood', label: t('reviews.decision.flood'), isChecked: false },
  hint: t('reviews.decision.flood-hint'),
});

/** The decision of a moderator, before all other forms; why another one decides about what waits. */
function moderation(ui: Ui, rating: Rating): Html {
  const { viewerRights, isDeleted, openFlagCount, holdReason, user } = rating;
  if (isDeleted) return html``;
  if (viewerRights.includes('DECIDE')) return decisionSection(ui, rating);
  const isWaiting = (openFlagCount ?? 0) > 0 || (holdReason !== null && holdReason !== 'MODERATOR');
  if (!isWaiting) return html``;
  return notice(ui, { kind: 'info', text: ui.t(isViewer(ui, user) ? 'reviews.own-waits' : 'reviews.authors-wait') });
}

const isViewer = ({ viewer }: Ui, { databaseId }: { databaseId: number }): boolean => databaseId === viewer?.accountId;

function decisionSection(ui: Ui, rating: Rating): Html {
  const { openFlagCount, flagCounts } = rating;
  const { decision, note } = decisionFields(ui, rating);
  const isFlood = flagCounts?.some(({ reason, openCount }) => reason === 'FLOOD' && openCount > 0);
  return ratingSection(
    'decide',
    ui.t('review.decision'),
    html`${moderationReasons(ui, rating)}
${formElement(ui, {
  name: 'rating-decide',
  hidden: { openFlags: String(openFlagCount ?? 0) },
  parts: [decision, ...(isFlood ? [floodField(ui)] : []), note],
  submit: ui.t('moderation.decide'),
})}`,
  );
}

const idIn = ({ path }: PageInput): string => ratingId(Number(path.rating));

export const ratingForms = [
  form({
    page: ratingPage,
    name: 'rating-edit',
    fields: { score: choice(...RATING_SCORES, ''), body: optionalText },
    document: PageUpdateRatingDocument,
    variables: ({ score, body }, input) => ({
      input: { id: idIn(input), body, ...(score === '' ? {} : { score: Number(score) }) },
    }),
  }),
  form({
    page: ratingPage,
    name: 'rating-delete',
    fields: { what: choice(...DELETED) },
    document: PageDeleteRatingDocument,
    variables: (_values, input) => ({ input: { id: idIn(input) } }),
    done: ({ deleteRating }, _input, { what }) => {
      const list = addonPath(payloadOf(deleteRating, 'addon').addon, 'reviews/');
      return doneAt(list, what === 'own' ? 'rating-delete' : 'rating-delete-reply');
    },
  }),
  form({
    page: ratingPage,
    name: 'rating-reply',
    fields: { body: textField },
    document: PageReplyToRatingDocument,
    variables: ({ body }, input) => ({ input: { id: idIn(input), body } }),
  }),
  form({
    page: ratingPage,
    name: 'rating-flag',
    fields: { reason: choice(...FLAGS), note: optionalText },
    document: PageFlagRatingDocument,
    variables: (flag, input) => ({ input: { id: idIn(input), ...flag } }),
  }),
  form({
    page: ratingPage,
    name: 'rating-decide',
    fields: {
      decision: choice(...RATING_DECISIONS),
      note: optionalText,
      openFlags: integerField,
      includeFlood: checkbox,
    },
    document: PageDecideRatingDocument,
    variables: (decision, input) => ({ input: { id: idIn(input), ...decision } }),
    done: (_result, { path }, { decision, includeFlood }) => {
      const again = decision === 'DELETE' || includeFlood ? '' : `?rating=${path.rating}`;
      const code = includeFlood ? 'flood-decide' : RATING_DECIDED[decision];
      return doneAt(`/moderation/ratings/${again}`, code);
    },
  }),
];
