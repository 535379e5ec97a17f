import { html } from 'hono/html';
import {
  HubActivityDocument,
  type HubActivityQuery,
  HubFrameDocument,
  HubReplyDocument,
} from '../../generated/operations/graphql.ts';
import { addonOfPath } from '../catalogue/addon-head.ts';
import { formElement } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { addonContent, HUB_ADDON_PAGE, hasRight, hubAddon } from './hub-addon.ts';
import { channelName, noteThread } from './states.ts';

type Read = HubActivityQuery['addon'];

/** The thread of an add-on: decisions, questions, replies. */
export const activityPage = page({
  path: '/developers/addon/:ref/activity/',
  ...HUB_ADDON_PAGE,
  query: CURSOR_PARAM,
  document: HubFrameDocument,
  more: {
    document: HubActivityDocument,
    variables: ({ addon }, { path, query: { after } }) =>
      addon && hasRight(addon, 'INSPECT_UNLISTED') ? { ...addonOfPath({ path }), after } : null,
  },
  view: (data, { search }, ui, more) => {
    const addon = hubAddon(data.addon, 'INSPECT_UNLISTED');
    const read = more?.addon ?? null;
    const { nodes = [], pageInfo } = read?.thread ?? {};
    return addonContent(ui, {
      addon,
      tab: 'activity',
      body: (own) => html`${questions(own, read)}
${hasRight(addon, 'UPLOAD') && replyForm(own, read)}
${noteThread(own, nodes)}
${cursorPager(own, { search, pageInfo })}`,
    });
  },
});

function questions(ui: Ui, read: Read): Html {
  const openQuestions = read?.openQuestions ?? [];
  if (openQuestions.length === 0) return html``;
  const { t } = ui;
  return notice(ui, {
    kind: 'warning',
    title: t('hub.activity.question'),
    text: t('hub.activity.question-how'),
    actions: html`${openQuestions.map(({ databaseId }) => html`<a href="#note-${databaseId}">${t('hub.activity.to-question')}</a>`)}`,
  });
}

/** The form for a reply, to one of the newest versions or the one with the newest open question, which is chosen. */
function replyForm(ui: Ui, read: Read): Html {
  const { t } = ui;
  const newest = read?.versions.nodes ?? [];
  const asked = read?.openQuestions?.at(-1)?.version;
  const isOlder = asked !== undefined && newest.every(({ id }) => id !== asked.id);
  const versions = isOlder ? [...newest, asked] : newest;
  if (versions.length === 0) return html``;
  return formElement(ui, {
    name: 'hub-reply',
    parts: [
      {
        kind: 'select',
        name: 'id',
        label: t('hub.activity.version'),
        isRequired: true,
        value: asked?.id ?? versions[0]?.id ?? null,
        options: versions.map(({ id, version, channel }) => ({
          value: id,
          text: html`${version} (${channelName(ui, channel)})`,
        })),
      },
      {
        kind: 'textarea',
        name: 'comments',
        label: t('hub.activity.reply'),
        hint: t('hub.activity.reply-hint'),
        isRequired: true,
        maxLength: 10_000,
      },
    ],
    submit: t('hub.activity.send'),
  });
}

export const replyToReviewForm = form({
  page: activityPage,
  name: 'hub-reply',
  fields: { id: textField, comments: textField },
  document: HubReplyDocument,
  variables: (values) => values,
});
