import { type Command, JSON_OUTPUT } from './command.ts';

/** Commands about the file store. */
export const storageCommands: Command[] = [
  {
    name: 'storage adopt',
    summary:
      'Gives the file store the id of the database, for a store and a database that belong together and have different ids.',
    options: { json: JSON_OUTPUT },
    load: async () => (await import('./storage.ts')).adopt,
  },
  {
    name: 'storage collect',
    summary: 'Shows how many stored files no row references; with --confirm it removes those older than a day.',
    options: { confirm: { description: 'Remove them, however many there are.' }, json: JSON_OUTPUT },
    load: async () => (await import('./storage.ts')).collect,
  },
  {
    name: 'storage copy',
    summary:
      'Copies all referenced files between the folder (fs) and the bucket (s3) of the settings, while the service runs.',
    arguments: ['FROM', 'TO'],
    options: { json: JSON_OUTPUT },
    load: async () => (await import('./storage.ts')).copy,
  },
  {
    name: 'storage verify',
    summary:
      'Finds lost, damaged and unreferenced files; the exit status is 1 when there are any. Continues an interrupted run.',
    options: { sample: { value: 'N', description: 'Read N files chosen at random.' }, json: JSON_OUTPUT },
    load: async () => (await import('./storage.ts')).verifyStorage,
  },
];

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
