import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import { authorPage } from './author.ts';
import {
  cannedPage,
  deleteCannedForm,
  editCannedForm,
  editCannedPage,
  newCannedForm,
  newCannedPage,
} from './canned.ts';
import { decisionForm } from './decision.ts';
import { draftForms } from './drafts.ts';
import { logPage } from './log.ts';
import { nextReviewPage } from './next-review.ts';
import { queueClaimForm, queuePage, queuePartClaimForm, queuePartPage } from './queue.ts';
import { claimForm, reviewPage, subscriptionForm } from './review.ts';
import { reviewUnsubscribeForm, subscriptionsPage } from './subscriptions.ts';

/** The pages of reviewers. */
export const reviewerPages: readonly PageRow[] = [
  ...[queuePage, queuePartPage, nextReviewPage, reviewPage, authorPage, logPage, subscriptionsPage],
  ...[cannedPage, newCannedPage, editCannedPage],
];

export const reviewerForms: readonly FormRow[] = [
  ...[queueClaimForm, queuePartClaimForm, newCannedForm, editCannedForm, deleteCannedForm],
  ...[decisionForm(reviewPage), ...draftForms(reviewPage), claimForm, subscriptionForm, reviewUnsubscribeForm],
];
