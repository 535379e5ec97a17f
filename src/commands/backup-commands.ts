import { type Command, JSON_OUTPUT } from './command.ts';

/** Commands about backups. */
export const backupCommands: Command[] = [
  {
    name: 'backup',
    summary: 'Writes database, stored files and key files to a new folder while the service runs.',
    arguments: ['FOLDER'],
    options: {
      full: { description: 'Copy all files; otherwise those of the newest backup next to it are linked.' },
      'without-keys': { description: 'Leave out the key files of DATA_DIR.' },
      json: JSON_OUTPUT,
    },
    load: async () => (await import('./backup.ts')).runBackup,
  },
  {
    name: 'restore',
    summary: 'Restores a backup into an empty database and the file store, and verifies both.',
    arguments: ['FOLDER'],
    options: {
      check: { description: 'Read the whole backup and compare all hashes; restore nothing.' },
      json: JSON_OUTPUT,
    },
    load: async () => (await import('./restore.ts')).runRestore,
  },
];
