import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import {
  changeCollectionForm,
  collectionNotesForm,
  newCollectionForm,
  ownCollectionPage,
  ownCollectionsPage,
  removeCollectionForm,
  takeFromCollectionForm,
} from './collections.ts';
import { deletionForm, deletionPage } from './delete.ts';
import { identitiesPage, linkIdentityForm, removeIdentityForm } from './identities.ts';
import { acceptInvitationForm, declineInvitationForm, invitationsPage } from './invitations.ts';
import { keysPage, newKeyForm, revokeKeyForm, revokeKeyPage } from './keys.ts';
import { notificationsForm, notificationsPage } from './notifications.ts';
import { ownDataPage } from './own-data.ts';
import { agreementForm, pictureForm, profileForm, profilePage, removePictureForm } from './profile.ts';
import { endOtherSessionsForm, endSessionForm, sessionsPage } from './sessions.ts';
import { unsubscribeForm, unsubscribePage } from './unsubscribe.ts';

/** The account of the viewer, and the links of mailings. */
export const accountPages: readonly PageRow[] = [
  profilePage,
  ownDataPage,
  notificationsPage,
  unsubscribePage,
  keysPage,
  revokeKeyPage,
  sessionsPage,
  identitiesPage,
  invitationsPage,
  ...[ownCollectionsPage, ownCollectionPage],
  deletionPage,
];

export const accountForms: readonly FormRow[] = [
  profileForm,
  pictureForm,
  removePictureForm,
  agreementForm,
  notificationsForm,
  unsubscribeForm,
  newKeyForm,
  revokeKeyForm,
  endSessionForm,
  endOtherSessionsForm,
  removeIdentityForm,
  linkIdentityForm,
  acceptInvitationForm,
  declineInvitationForm,
  ...[newCollectionForm, changeCollectionForm, collectionNotesForm, takeFromCollectionForm, removeCollectionForm],
  deletionForm,
];
