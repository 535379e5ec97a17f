import { catalogueCommands } from './catalogue-commands.ts';
import { type Command, type CommandOption, JSON_OUTPUT } from './command.ts';
import { jobCommands } from './job-commands.ts';
import { mailCommands } from './mail-commands.ts';
import { backupCommands, storageCommands } from './storage-commands.ts';
import { authorCommands, userCommands } from './user-commands.ts';
import { webhookCommands } from './webhook-commands.ts';

const USER: CommandOption = { value: 'U', required: true, description: 'Username of the account.' };
const LABEL: CommandOption = { value: 'TEXT', description: 'What it is for.' };
const EXPIRES: CommandOption = {
  value: 'WHEN',
  description: 'A length of time such as 90d or 12h, or a date such as 2030-01-31.',
};

const VERIFY_OPTIONS: Record<string, CommandOption> = {
  checkpoint: {
    value: 'FILE',
    repeatable: true,
    description: 'An earlier checkpoint: the log must still contain its entries.',
  },
  key: { value: 'KEY', description: 'The key of checkpoints, NAME+ID+BASE64; that of this installation by default.' },
  json: JSON_OUTPUT,
};

const KEY_EXPIRES: CommandOption = {
  value: 'WHEN',
  description: 'A length of time such as 90d or 12h, a date such as 2030-01-31, or never. Default: 365d.',
};

/** Every command of the program, in the order of the help. */
export const commands: Command[] = [
  {
    name: 'start',
    summary: 'Everything in one: database, migrations, worker and web, with demo data in a new embedded database.',
    load: async () => (await import('../process/start.ts')).start,
  },
  {
    name: 'serve',
    summary: 'The web process alone.',
    load: async () => (await import('./serve.ts')).runServe,
  },
  {
    name: 'worker',
    summary: 'A worker alone: validates, signs, cleans up.',
    options: { supervised: { description: 'End with the process that forked it.' } },
    load: async () => (await import('./worker.ts')).runWorker,
  },
  {
    name: 'signer',
    summary: 'Holds the signing key for workers on other hosts, and decides about each signature (docs/keys.md).',
    load: async () => (await import('./signer.ts')).runSigner,
  },
  {
    name: 'migrate',
    summary: 'Applies pending migrations.',
    options: { plan: { description: 'Print the pending files, and change nothing.' } },
    load: async () => (await import('./migrate.ts')).runMigrate,
  },
  {
    name: 'doctor',
    summary: 'Checks the installation; the exit status is 1 when something must be fixed.',
    options: { json: JSON_OUTPUT },
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  {
    name: 'read-only',
    summary: 'Switches read-only (maintenance) mode: STATE is on or off.',
    arguments: ['STATE'],
    options: { reason: { value: 'TEXT', description: 'Kept in the audit log.' } },
    load: async () => (await import('./read-only.ts')).runReadOnly,
  },
  {
    name: 'notice set',
    summary: 'Shows a notice on all pages; other languages get the English text.',
    options: {
      en: { value: 'TEXT', description: 'The notice in English.' },
      de: { value: 'TEXT', description: 'The notice in German.' },
      he: { value: 'TEXT', description: 'The notice in Hebrew.' },
    },
    load: async () => (await import('./site-notice.ts')).runSetNotice,
  },
  {
    name: 'notice clear',
    summary: 'Ends the notice on all pages.',
    load: async () => (await import('./site-notice.ts')).runClearNotice,
  },
  ...userCommands,
  ...authorCommands,
  {
    name: 'key create',
    summary: 'Creates an API key; the user thereby accepts the developer agreement.',
    options: { user: USER, label: LABEL, expires: KEY_EXPIRES, json: JSON_OUTPUT },
    load: async () => (await import('./credentials.ts')).createKey,
  },
  {
    name: 'key revoke',
    summary: 'Ends an API key.',
    arguments: ['KEY'],
    load: async () => (await import('./credentials.ts')).endKey,
  },
  {
    name: 'shared-key accept',
    summary:
      'Makes a key of this host that of the installation: secret-key after it was lost, signing-root or log-key after it was replaced.',
    arguments: ['NAME'],
    load: async () => (await import('./secrets.ts')).acceptKey,
  },
  {
    name: 'changes',
    summary: 'Prints a line of JSON for each add-on that changes, for programs that purge caches (docs/caching.md).',
    load: async () => (await import('./changes.ts')).printChanges,
  },
  {
    name: 'secrets reseal',
    summary: 'Replaces SECRET_KEY_PREVIOUS by SECRET_KEY: afterwards nothing in the database needs the previous key.',
    options: {
      'end-links': {
        description: 'End links that earlier keys made: for a key that others may know. Default: they stay valid.',
      },
      json: JSON_OUTPUT,
    },
    load: async () => (await import('./secrets.ts')).reseal,
  },
  {
    name: 'token create',
    summary: 'Creates an access token for "Authorization: Bearer", valid for 30 days.',
    options: { user: USER, label: LABEL, expires: EXPIRES, json: JSON_OUTPUT },
    load: async () => (await import('./credentials.ts')).createToken,
  },
  {
    name: 'session list',
    summary: 'Prints the sessions and access tokens of a user, the newest first.',
    options: { user: USER, json: JSON_OUTPUT },
    load: async () => (await import('./credentials.ts')).listSessions,
  },
  {
    name: 'session revoke',
    summary: 'Ends all sessions and access tokens of a user.',
    options: { user: USER },
    load: async () => (await import('./credentials.ts')).revokeSessions,
  },
  {
    name: 'group grant',
    summary: 'Grants a user permission rules through a group; creates group and membership when missing.',
    arguments: ['NAME'],
    options: {
      rule: { value: 'app:action', required: true, repeatable: true, description: 'A rule; either part may be *.' },
      user: USER,
      json: JSON_OUTPUT,
    },
    load: async () => (await import('./group.ts')).grantRules,
  },
  {
    name: 'group revoke',
    summary: 'Removes a user from a group.',
    arguments: ['NAME'],
    options: { user: USER, json: JSON_OUTPUT },
    load: async () => (await import('./group.ts')).revokeMember,
  },
  {
    name: 'audit list',
    summary: 'Prints the audit log, oldest first.',
    options: { json: { description: 'Print one line of JSON for each entry.' } },
    load: async () => (await import('./log.ts')).listAudit,
  },
  {
    name: 'audit export',
    summary:
      'Prints the entries of the audit log after a cursor as JSON Lines with their hashes, then the next cursor.',
    options: {
      after: { value: 'CURSOR', description: 'The `next` of an earlier export. Default: before the first entry.' },
    },
    load: async () => (await import('./log.ts')).exportAudit,
  },
  {
    name: 'audit verify',
    summary: 'Verifies the audit log by its hash chain and checkpoints; the exit status is 1 when something is wrong.',
    options: VERIFY_OPTIONS,
    load: async () => (await import('./log.ts')).verifyAudit,
  },
  {
    name: 'log verify',
    summary: 'Verifies the signature log in the same way, and that it has the certificates of all signed files.',
    options: VERIFY_OPTIONS,
    load: async () => (await import('./log.ts')).verifySignatures,
  },
  {
    name: 'log issuers',
    summary: 'Prints the intermediate certificates that have signed files, and how many certificates each has issued.',
    options: { json: { description: 'Print one line of JSON for each issuer.' } },
    load: async () => (await import('./log.ts')).listIssuers,
  },
  {
    name: 'log checkpoint',
    summary: 'Signs size and newest hashes of both logs, as workers do each hour, and prints the checkpoint.',
    load: async () => (await import('./log.ts')).checkpointLogs,
  },
  ...backupCommands,
  ...storageCommands,
  ...mailCommands,
  ...jobCommands,
  ...webhookCommands,
  ...catalogueCommands,
  {
    name: 'policies',
    summary: 'Prints the policies.json that connects browsers or mail clients to this service.',
    options: {
      base: { value: 'URL', description: 'Public address of the service; BASE_URL by default.' },
      application: { value: 'KEY', description: 'desktop_browser (default) or mail_client.' },
      'allow-unsigned': { description: 'Accept files whose signature the build cannot verify (docs/browsers.md).' },
      'tls-root': { value: 'FILE', description: 'Root certificate of your own TLS CA, by its path on the clients.' },
    },
    load: async () => (await import('./policies.ts')).printPolicies,
  },
  {
    name: 'pack',
    summary: 'Packs the folder of an add-on into a new package file.',
    arguments: ['FOLDER', 'FILE'],
    options: { json: JSON_OUTPUT },
    load: async () => (await import('./pack.ts')).packFolder,
  },
  {
    name: 'verify',
    summary: 'Verifies a signed file and prints what is wrong with it.',
    arguments: ['FILE'],
    options: {
      root: { value: 'PEM', description: 'File with the root certificate; that of this installation by default.' },
      id: { value: 'ID', description: 'The add-on id that the file must be signed for.' },
      json: JSON_OUTPUT,
    },
    load: async () => (await import('./verify.ts')).verifyFile,
  },
  {
    name: 'jwt',
    summary: 'Prints a one-time token for one request with an API key, valid for five minutes.',
    options: {
      key: { value: 'K', description: 'The API key.' },
      secret: { value: 'S', description: 'Its secret.' },
      'key-file': { value: 'FILE', description: 'Both, as "key create --json" prints them.' },
    },
    load: async () => (await import('./jwt.ts')).printJwt,
  },
];
