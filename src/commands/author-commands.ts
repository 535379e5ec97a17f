import type { Command, Option } from './command.ts';

const USER: Option = { value: 'U', required: true, description: 'Username of the author.' };

/** The commands that change the authors of an add-on. ADDON is an id, a guid or a slug. */
export const authorCommands: Command[] = [
  {
    name: 'author add',
    summary: 'Makes a user an author of an add-on, without an invitation. Owners and user get a mail.',
    arguments: ['ADDON'],
    options: {
      user: USER,
      role: { value: 'ROLE', description: 'owner or developer; default: developer.' },
      unlisted: { description: 'Do not show the author on the page of the add-on.' },
    },
    load: async () => (await import('./author.ts')).addAuthor,
  },
  {
    name: 'author remove',
    summary: 'Removes a user from the authors of an add-on. Owners and user get a mail.',
    arguments: ['ADDON'],
    options: { user: USER },
    load: async () => (await import('./author.ts')).removeAuthorCommand,
  },
];
