import { z } from 'zod';
import type { ReviewAction, ReviewNoteFieldsFragment } from '../../generated/operations/graphql.ts';
import { personShape } from './accounts.ts';
import { shape } from './shape.ts';
import { dateTime } from './text.ts';

/** The contract's words of review note actions, and that of source code, which only the submission API v5 and GraphQL attach. */
const ACTIONS = {
  APPROVED: 'approved',
  REJECTED: 'rejected',
  REVIEW_REQUESTED: 'review-requested',
  MORE_INFORMATION_REQUESTED: 'more-information-requested',
  SUPER_REVIEW_REQUESTED: 'super-review-requested',
  COMMENT: 'comment',
  REVIEW_NOTE: 'review-note',
  SOURCE_CODE_UPLOADED: 'source-code-uploaded',
} as const satisfies Record<ReviewAction, string>;

/** The Review note object (contract, Review note), keys in the documented order. */
export const reviewNote = shape<ReviewNoteFieldsFragment>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    action: [z.enum(Object.values(ACTIONS)), ({ action }) => ACTIONS[action]],
    action_label: [z.string(), ({ actionLabel }) => actionLabel],
    user: [personShape.schema, ({ user }, view) => personShape.write(user, view)],
    comments: [z.string(), ({ comments }) => comments],
    date: [dateTime, ({ created }) => created],
  },
  'ReviewNote',
);
