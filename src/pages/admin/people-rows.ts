import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import { addMemberForm, groupForm, groupPage, groupsPage, newGroupForm, removeMemberForm } from './groups.ts';
import { endUserSessionForm, revokeUserKeyForm, switchUserForm, userAdminPage } from './user.ts';
import { usersPage } from './users.ts';

/** Accounts and groups. */
export const peoplePages: readonly PageRow[] = [usersPage, userAdminPage, groupsPage, groupPage];

export const peopleForms: readonly FormRow[] = [
  ...[switchUserForm, endUserSessionForm, revokeUserKeyForm],
  ...[newGroupForm, groupForm, addMemberForm, removeMemberForm],
];
