import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import { addVersionForm, applicationsPage } from './applications.ts';
import { auditPage } from './audit.ts';
import { auditExportPage, auditVerificationPage } from './audit-files.ts';
import {
  addMappingForm,
  browserMappingPage,
  browserMappingsPage,
  deleteMappingForm,
  editMappingForm,
} from './browser-mappings.ts';
import {
  addCategoryForm,
  categoriesAdminPage,
  categoryAdminPage,
  deleteCategoryForm,
  editCategoryForm,
} from './categories.ts';
import {
  addCollectionForm,
  collectionPage,
  collectionsPage,
  deleteCollectionForm,
  editCollectionForm,
  moveCollectionForm,
} from './collections.ts';
import {
  addDiscoveryForm,
  deleteDiscoveryForm,
  discoveryEntryPage,
  discoveryPage,
  editDiscoveryForm,
  moveDiscoveryForm,
} from './discovery.ts';
import { featuredPage, featureForm, unfeatureForm } from './featured.ts';
import { addMemberForm, groupForm, groupPage, groupsPage, newGroupForm, removeMemberForm } from './groups.ts';
import { healthPage } from './health.ts';
import { addHeroForm, deleteHeroForm, editHeroForm, heroEntryPage, heroPage } from './hero.ts';
import { heroSecondaryForm, heroSecondaryPage, resetHeroForm } from './hero-secondary.ts';
import { dropJobForm, jobPage, retryJobForm } from './job.ts';
import { jobsPage } from './jobs.ts';
import { addLicenseForm, deleteLicenseForm, editLicenseForm, licenseAdminPage, licensesAdminPage } from './licenses.ts';
import { mailPage, mailTextPage, retryMailForm } from './mail.ts';
import { addOverrideForm, deleteOverrideForm, editOverrideForm, overridePage, overridesPage } from './overrides.ts';
import { noticeForm, readOnlyForm, readOnlyPage, readOnlyTextForm } from './read-only.ts';
import { moveRecommendationForm, recommendationsForm, recommendationsPage } from './recommendations.ts';
import {
  addReplacementForm,
  deleteReplacementForm,
  editReplacementForm,
  replacementPage,
  replacementsAdminPage,
} from './replacements.ts';
import {
  endUserSessionForm,
  joinGroupForm,
  leaveGroupForm,
  revokeUserKeyForm,
  switchUserForm,
  userAdminPage,
} from './user.ts';
import { usersPage } from './users.ts';
import { serviceWebhookForms, serviceWebhookPage, serviceWebhooksPage } from './webhooks.ts';

/** The pages of the administration. Each has a tab in `ADMIN_PAGES` of `auth/operator-permissions.ts`, which has the permission that opens it. */
export const adminPages: readonly PageRow[] = [
  healthPage,
  ...[jobsPage, jobPage],
  featuredPage,
  ...[collectionsPage, collectionPage],
  ...[replacementsAdminPage, replacementPage],
  recommendationsPage,
  ...[overridesPage, overridePage],
  ...[discoveryPage, discoveryEntryPage],
  ...[heroPage, heroEntryPage, heroSecondaryPage],
  ...[browserMappingsPage, browserMappingPage],
  applicationsPage,
  ...[categoriesAdminPage, categoryAdminPage],
  ...[licensesAdminPage, licenseAdminPage],
  ...[usersPage, userAdminPage],
  ...[groupsPage, groupPage],
  readOnlyPage,
  ...[auditPage, auditVerificationPage, auditExportPage],
  ...[mailPage, mailTextPage],
  ...[serviceWebhooksPage, serviceWebhookPage],
];

export const adminForms: readonly FormRow[] = [
  ...[retryJobForm, dropJobForm],
  ...[featureForm, unfeatureForm],
  ...[addCollectionForm, editCollectionForm, moveCollectionForm, deleteCollectionForm],
  ...[addReplacementForm, editReplacementForm, deleteReplacementForm],
  ...[recommendationsForm, moveRecommendationForm],
  ...[addOverrideForm, editOverrideForm, deleteOverrideForm],
  ...[addDiscoveryForm, moveDiscoveryForm, editDiscoveryForm, deleteDiscoveryForm],
  ...[addHeroForm, editHeroForm, deleteHeroForm, heroSecondaryForm, resetHeroForm],
  ...[addMappingForm, editMappingForm, deleteMappingForm],
  addVersionForm,
  ...[addCategoryForm, editCategoryForm, deleteCategoryForm],
  ...[addLicenseForm, editLicenseForm, deleteLicenseForm],
  ...[switchUserForm, endUserSessionForm, revokeUserKeyForm],
  ...[newGroupForm, groupForm, addMemberForm, removeMemberForm, joinGroupForm, leaveGroupForm],
  ...[readOnlyForm, readOnlyTextForm, noticeForm],
  retryMailForm,
  ...serviceWebhookForms,
];
