import { AUTOMATIC_REVIEW_ID } from '../../auth/credential-account.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { languageOf } from '../../graphql/context.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { MessageRef } from '../../graphql/message.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { Version } from '../versions/version.ts';
import { loadNotes, type NoteRow, REFERRAL_PLACEHOLDER } from './load-notes.ts';
import { actionLabel, type NoteAction } from './note-actions.ts';

export const ReviewActionEnum = enumOf('ReviewAction', 'What a note of a review is about.', {
  approved: 'A reviewer or the service approved the version.',
  rejected: 'A reviewer rejected the version.',
  'review-requested': 'The developer requested the review.',
  'more-information-requested': 'A reviewer requested information from the developer.',
  'super-review-requested': 'Referred to an administrator.',
  comment: 'A comment that only reviewers read.',
  'review-note': 'A reply in the thread.',
  'source-code-uploaded': 'The developer attached source code to the version.',
});

const ReviewNoteKindEnum = builder.enumType('ReviewNoteKind', {
  description: 'Who wrote a note and why, finer than its action.',
  values: {
    DECISION: { description: 'The decision of a reviewer.' },
    REQUEST: { description: 'A request: for a review, for information, or to an administrator.' },
    DEVELOPER_REPLY: { description: 'A reply of an author of the add-on.' },
    REVIEWER_REPLY: { description: 'A reply of a reviewer.' },
    COMMENT: { description: 'A comment that only reviewers read.' },
    SOURCE: { description: 'Source code that a developer attached.' },
    SERVICE: { description: 'An automatic decision of the service.' },
  },
});

const KINDS = {
  approved: 'DECISION',
  rejected: 'DECISION',
  'review-requested': 'REQUEST',
  'more-information-requested': 'REQUEST',
  'super-review-requested': 'REQUEST',
  comment: 'COMMENT',
  'review-note': 'REVIEWER_REPLY',
  'source-code-uploaded': 'SOURCE',
} as const satisfies Record<NoteAction, string>;

function kindOf({ action, accountId, by }: NoteRow) {
  if (by === 'developer') return 'DEVELOPER_REPLY';
  const kind = KINDS[action];
  return kind === 'DECISION' && accountId === AUTOMATIC_REVIEW_ID ? 'SERVICE' : kind;
}

/** Resolvers of this type may return an id: it is loaded, or an error for viewers without access. */
export const ReviewNote = loadableNode<NoteRow>('ReviewNote', loadNotes);

builder.objectType(ReviewNote, {
  description: 'A note in the thread of a version.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    action: t.expose('action', { type: ReviewActionEnum, description: 'What the note is about.' }),
    actionLabel: t.string({
      description: 'The action in words, in the language of the request.',
      resolve: ({ action }, _args, context) => actionLabel(action, languageOf(context)),
    }),
    kind: t.field({ type: ReviewNoteKindEnum, description: 'Who wrote the note and why.', resolve: kindOf }),
    user: t.field({
      type: AccountSummary,
      description: 'The author of the note; the account automatic-review for automatic decisions.',
      resolve: ({ accountId }, _args, context) => accountSummary(context, accountId),
    }),
    comments: t.exposeString('comments', {
      description: 'Plain text; empty without one. The text of a referral is for reviewers, others read a fixed one.',
    }),
    commentsReason: t.field({
      type: MessageRef,
      nullable: true,
      description:
        'What `comments` says as a code and parameters, where it is a sentence of the service; null for the words of people.',
      resolve: ({ isWithheld = false }) => (isWithheld ? REFERRAL_PLACEHOLDER : null),
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was written.' }),
    version: t.field({ type: Version, description: 'The version.', resolve: ({ versionId }) => versionId }),
  }),
});
