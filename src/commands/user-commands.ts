import { type Command, type CommandOption, JSON_OUTPUT } from './command.ts';

const SUBJECT: CommandOption = { value: 'S', required: true, description: "The provider's name for the person (sub)." };
const ISSUER: CommandOption = { value: 'URL', description: 'Address of the provider. Default: OIDC_ISSUER.' };

const AUTHOR: CommandOption = { value: 'U', required: true, description: 'Username of the author.' };

const REASON: CommandOption = {
  value: 'TEXT',
  description: 'Kept in the activity log; the owner of a disabled account reads it.',
};

/** The commands that create, disable, enable and delete accounts. */
export const userCommands: Command[] = [
  {
    name: 'user create',
    summary: 'Creates an account.',
    options: {
      username: { value: 'U', required: true, description: 'Letters, digits, underscores and hyphens.' },
      email: { value: 'E', required: true, description: 'E-mail address.' },
      group: { value: 'NAME', description: 'A group that it becomes a member of.' },
      json: JSON_OUTPUT,
    },
    load: async () => (await import('./user.ts')).createUser,
  },
  {
    name: 'user disable',
    summary: 'Disables an account: its keys and tokens are refused from now on.',
    arguments: ['USERNAME'],
    options: { reason: REASON },
    load: async () => (await import('./user.ts')).disableUser,
  },
  {
    name: 'user enable',
    summary: 'Enables a disabled account again, with its keys and tokens.',
    arguments: ['USERNAME'],
    options: { reason: REASON },
    load: async () => (await import('./user.ts')).enableUser,
  },
  {
    name: 'user delete',
    summary: 'Deletes an account and all of its data. Authors of add-ons cannot be deleted.',
    arguments: ['USERNAME'],
    load: async () => (await import('./user.ts')).deleteUser,
  },
  {
    name: 'user link',
    summary: 'Links an identity at the provider to an account, which then signs in with it.',
    arguments: ['USERNAME'],
    options: { subject: SUBJECT, issuer: ISSUER },
    load: async () => (await import('./user.ts')).linkUser,
  },
  {
    name: 'user unlink',
    summary: 'Removes an identity of an account. The last one stays.',
    arguments: ['USERNAME'],
    options: { subject: SUBJECT, issuer: ISSUER },
    load: async () => (await import('./user.ts')).unlinkUser,
  },
  {
    name: 'user identities',
    summary: 'Prints the identities that sign in to an account.',
    arguments: ['USERNAME'],
    options: { json: JSON_OUTPUT },
    load: async () => (await import('./user.ts')).listIdentities,
  },
];

/** The commands that change the authors of an add-on. ADDON is an id, a guid or a slug. */
export const authorCommands: Command[] = [
  {
    name: 'author add',
    summary: 'Makes a user an author of an add-on, without an invitation. Owners and user get a mail.',
    arguments: ['ADDON'],
    options: {
      user: AUTHOR,
      role: { value: 'ROLE', description: 'owner or developer; default: developer.' },
      unlisted: { description: 'Do not show the author on the page of the add-on.' },
    },
    load: async () => (await import('./user.ts')).addAuthor,
  },
  {
    name: 'author remove',
    summary: 'Removes a user from the authors of an add-on. Owners and user get a mail.',
    arguments: ['ADDON'],
    options: { user: AUTHOR },
    load: async () => (await import('./user.ts')).removeAuthorCommand,
  },
];
