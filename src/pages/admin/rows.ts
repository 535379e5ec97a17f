import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import {
  addCollectionForm,
  collectionPage,
  collectionsPage,
  deleteCollectionForm,
  editCollectionForm,
  moveCollectionForm,
} from './collections.ts';
import { featuredPage, featureForm, unfeatureForm } from './featured.ts';
import { healthPage } from './health.ts';
import { dropJobForm, jobPage, jobsPage, retryJobForm } from './jobs.ts';
import { moveRecommendationForm, recommendationsForm, recommendationsPage } from './recommendations.ts';
import {
  addReplacementForm,
  deleteReplacementForm,
  editReplacementForm,
  replacementPage,
  replacementsAdminPage,
} from './replacements.ts';

/** The pages of the administration. Each has a tab in `ADMIN_PAGES` of `auth/operator-permissions.ts`, which says who may open it. */
export const adminPages: readonly PageRow[] = [
  healthPage,
  ...[jobsPage, jobPage],
  featuredPage,
  ...[collectionsPage, collectionPage],
  ...[replacementsAdminPage, replacementPage],
  recommendationsPage,
];

export const adminForms: readonly FormRow[] = [
  ...[retryJobForm, dropJobForm],
  ...[featureForm, unfeatureForm],
  ...[addCollectionForm, editCollectionForm, moveCollectionForm, deleteCollectionForm],
  ...[addReplacementForm, editReplacementForm, deleteReplacementForm],
  ...[recommendationsForm, moveRecommendationForm],
];
