import { type Command, JSON_OUTPUT, type Option } from './command.ts';

const REASON: Option = { value: 'TEXT', description: 'Kept in the activity log.' };

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
];
