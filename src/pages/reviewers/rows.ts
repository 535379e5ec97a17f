import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import { decisionForm } from './decision.ts';
import { queuePage } from './queue.ts';
import { claimForm, reviewPage } from './review.ts';

/** The pages of reviewers. */
export const reviewerPages: readonly PageRow[] = [queuePage, reviewPage];

export const reviewerForms: readonly FormRow[] = [decisionForm(reviewPage), claimForm];
