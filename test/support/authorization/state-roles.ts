/* The roles of people who report, run and administer the service, and who holds which permission. */

/** The address of every client (RFC 5737). */
export const ADDRESS = '192.0.2.1';

/** `party` is the account that an object belongs to; `stranger` has nothing to do with it. */
export const PEOPLE_RULES = {
  anonymous: null,
  stranger: [],
  party: [],
  reviewer: ['Addons:Review'],
  editor: ['Addons:Edit'],
  accountAdmin: ['Users:Edit'],
  moderator: ['AbuseReports:Edit'],
  groupAdmin: ['Admin:Groups'],
  registrar: ['Admin:Groups', 'Users:Edit'],
  mailKeeper: ['Admin:Mail'],
  chief: ['Admin:Review'],
  everyAdmin: ['Admin:*'],
  everyEdit: ['*:Edit'],
  // None of these is a rule that anything needs.
  mistaken: ['abusereports:edit', 'Users:Edit:*', 'Admin:Group', 'Users', '**:*', 'Admin:Mail '],
  // Every rule that gives no right to these objects: together they must not either.
  clerk: [
    ...['Accounts:SuperCreate', 'Admin:Audit', 'Admin:Catalogue', 'Admin:Curation', 'Admin:Service'],
    ...['Addons:SubmitPrivileged', 'Experiments:Submit'],
  ],
  root: ['*:*'],
} as const;

export type PersonRole = keyof typeof PEOPLE_RULES;

/** Who holds a permission, wildcards included. */
export const HOLDERS = {
  'AbuseReports:Edit': ['moderator', 'everyEdit', 'root'],
  'Addons:Edit': ['editor', 'everyEdit', 'root'],
  'Admin:Groups': ['groupAdmin', 'registrar', 'everyAdmin', 'root'],
  'Admin:Mail': ['mailKeeper', 'everyAdmin', 'root'],
  'Admin:Review': ['chief', 'everyAdmin', 'root'],
  'Admin:Service': ['clerk', 'everyAdmin', 'root'],
  'Users:Edit': ['accountAdmin', 'registrar', 'everyEdit', 'root'],
} as const satisfies Record<string, readonly PersonRole[]>;

export const holds = (role: PersonRole, permission: keyof typeof HOLDERS): boolean =>
  (HOLDERS[permission] as readonly PersonRole[]).includes(role);
