import type { Client } from './client.ts';
import { globalId } from './global-ids.ts';
import { mutate } from './mutate.ts';

const INVITE = `mutation($input: InviteAddonAuthorInput!) { inviteAddonAuthor(input: $input) {
  ... on InviteAddonAuthorPayload { invitation { id databaseId } } ... on UserError { message } } }`;

/** Invites an account to the authors of an add-on. Returns the numeric id of the invitation. */
export async function invite(owner: Client, invited: Client, addonId: number, more: object = {}): Promise<number> {
  const input = { id: globalId('Addon', addonId), account: { id: globalId('Account', invited.accountId) }, ...more };
  const { inviteAddonAuthor } = await owner.graphql<{
    inviteAddonAuthor: { invitation?: { databaseId: number }; message?: string };
  }>(INVITE, { input });
  if (inviteAddonAuthor.invitation === undefined) throw new Error(inviteAddonAuthor.message);
  return inviteAddonAuthor.invitation.databaseId;
}

/** Makes an account an author of an add-on by an invitation that it accepts. Returns the result of the acceptance. */
export async function join(
  owner: Client,
  invited: Client,
  addonId: number,
  more: object = {},
): ReturnType<typeof mutate> {
  const id = await invite(owner, invited, addonId, more);
  return mutate(invited, 'acceptAuthorInvitation', { id: globalId('AuthorInvitation', id) });
}
