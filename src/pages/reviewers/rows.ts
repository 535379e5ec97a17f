import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import { decisionForm } from './decision.ts';
import { queueClaimForm, queuePage, queuePartClaimForm, queuePartPage } from './queue.ts';
import { claimForm, reviewPage } from './review.ts';

/** The pages of reviewers. */
export const reviewerPages: readonly PageRow[] = [queuePage, queuePartPage, reviewPage];

export const reviewerForms: readonly FormRow[] = [
  ...[queueClaimForm, queuePartClaimForm],
  ...[decisionForm(reviewPage), claimForm],
];
