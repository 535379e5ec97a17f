/* Accounts, and invitations of authors, which REST has not. */
import { randomUUID } from 'node:crypto';
import type { Viewer } from '../../../../src/auth/viewer.ts';
import { type AddonFacts, addon } from '../../factories.ts';
import { globalId } from '../../global-ids.ts';
import { DELETED, DISABLED, hasId, kind, type Made, UNKNOWN, UNLISTED, unknownId } from '../kinds.ts';
import { badFile } from '../world.ts';

interface AccountFacts {
  column?: 'disabled_at' | 'deleted_at';
  /** It is the first author of this add-on, or the second one of a public add-on. */
  addon?: AddonFacts;
  isListed?: boolean;
  rule?: string;
}

interface Account extends Made {
  exists: boolean;
  isDeletable: boolean;
}

export const ACCOUNT = kind<AccountFacts | null, Account>({
  kind: 'an account',
  states: {
    author: { addon: {} },
    secondAuthor: { isListed: true },
    unlistedAuthor: { isListed: false },
    disabledAuthor: { isListed: true, column: 'disabled_at' },
    authorOfHidden: { addon: DISABLED },
    authorOfDisabledByDeveloper: { addon: { isDisabledByDeveloper: true } },
    authorOfUnlisted: { addon: UNLISTED },
    authorOfDeleted: { addon: DELETED },
    administrator: { rule: '*:*' },
    official: { rule: 'Users:Edit' },
    reviewer: { rule: 'Addons:Review' },
    withoutAddons: {},
    disabled: { column: 'disabled_at' },
    deleted: { column: 'deleted_at' },
    unknown: null,
  },
  make: async (facts, { insert, person }) => {
    const { column, addon: first, isListed, rule } = facts ?? {};
    const columns = { username: `state-${randomUUID()}`, ...(column && { [column]: new Date() }) };
    const id = facts === null ? UNKNOWN : await insert('account', columns);
    if (first) await addon({ authors: [id], ...first });
    if (isListed !== undefined) await addon({ authors: [await person('active'), { id, listed: isListed }] });
    if (rule) {
      const group_id = await insert('permission_group', { name: randomUUID(), rules: [rule] });
      await insert('group_member', { group_id, account_id: id });
    }
    return {
      ...{ id: globalId('Account', id), params: { account: id }, exists: facts !== null && column !== 'deleted_at' },
      isDeletable: isListed === undefined && (first === undefined || first === DELETED),
    };
  },
  viewerOf: ({ params, exists }, role): Viewer | null | undefined => {
    if (role !== 'self') return undefined;
    // An account that does not exist is not signed in.
    if (!exists) return null;
    const via = { scheme: 'bearer', tokenId: 1, signedInAt: new Date() } as const;
    return { kind: 'account', accountId: Number(params?.account), username: 'self', rules: [], via };
  },
  acts: {
    account: { args: ({ params }) => ({ by: { databaseId: params?.account } }) },
    'Account.private': { selection: 'private { email }' },
    'Account.private, editable': {
      ...{ covers: ['AccountPrivate.isEditable'], selection: 'private { isEditable }' },
      isShown: (value) => JSON.stringify(value).includes('true'),
    },
    updateNotifications: { input: ({ id }) => ({ id, changes: [] }) },
    setAccountPicture: { input: ({ id }) => ({ id, file: badFile() }) },
    'DELETE /accounts/account/:account/': { spare: ({ isDeletable }) => isDeletable },
    deleteAccount: { spare: ({ isDeletable }) => isDeletable },
    // Last: they begin and end the state of disabled accounts.
    ...{ disableAccount: {}, enableAccount: {} },
  },
});

const invited = (days: number, facts: AddonFacts = {}) => ({ days, facts });

export const INVITATION = kind<ReturnType<typeof invited> & { isUnknown?: true }>({
  kind: 'an invitation of an author',
  states: {
    open: invited(1),
    expired: invited(-1),
    ofDisabledAddon: invited(1, DISABLED),
    ofDeletedAddon: invited(1, DELETED),
    unknown: { ...invited(-1), isUnknown: true },
  },
  make: async ({ days, facts, isUnknown }, { insert, idOf }) => {
    const authors = [idOf('owner'), { id: idOf('developer'), role: 'developer' as const }];
    const { id: addon_id } = await addon({ status: 'incomplete', authors, ...facts });
    const people = { account_id: idOf('party'), role: 'developer', listed: true, invited_by: idOf('owner') };
    const expires = new Date(Date.now() + days * 86_400_000);
    const id = await insert('author_invitation', { addon_id, ...people, expires });
    return {
      id: isUnknown ? unknownId('AuthorInvitation') : globalId('AuthorInvitation', id),
      nodes: { Addon: globalId('Addon', addon_id) },
    };
  },
  acts: {
    authorInvitations: { selection: '{ id addon { id } }', covers: ['AuthorInvitation.addon'] },
    'Addon.authorInvitations': { isShown: hasId },
    acceptAuthorInvitation: { spare: true },
    declineAuthorInvitation: { spare: true },
    resendAuthorInvitation: { spare: true },
    withdrawAuthorInvitation: { spare: true },
  },
});
