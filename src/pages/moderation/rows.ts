import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import { inboxPage } from './inbox.ts';
import { floodForm, ratingsInboxPage } from './ratings.ts';
import { decideForm, reportedRatingForm, reportPage, switchAccountForm, switchAddonForm } from './report.ts';

/** The pages of moderators. */
export const moderationPages: readonly PageRow[] = [inboxPage, ratingsInboxPage, reportPage];

export const moderationForms: readonly FormRow[] = [
  decideForm,
  switchAddonForm,
  switchAccountForm,
  reportedRatingForm,
  floodForm,
];
