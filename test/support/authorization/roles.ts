/* The roles of the tables in test/authorization: the permission rules of their accounts, null for anonymous visitors. */

const RULES = {
  anonymous: null,
  // Has nothing to do with any object.
  stranger: [],
  // The account itself, for objects that are accounts.
  self: [],
  // The account that an object belongs to: it wrote, made or reported it, or is invited.
  party: [],
  // Authors of every add-on: its owner, a developer, one that the page of the add-on does not show, and one that reviews extensions.
  ...{ owner: [], developer: [], hiddenAuthor: [], reviewingAuthor: ['Addons:Review'] },
  // Was an author before.
  formerAuthor: [],
  // Has an open invitation to become an owner of every add-on, which gives no right before it is accepted.
  invited: [],
  // Reviewers of extensions, of their content alone, after their publication, of themes, of personas and of unlisted versions.
  ...{ reviewer: ['Addons:Review'], contentReviewer: ['Addons:ContentReview'], postReviewer: ['Addons:PostReview'] },
  ...{ themeReviewer: ['Addons:ThemeReview'], personaReviewer: ['Personas:Review'] },
  unlistedReviewer: ['Addons:ReviewUnlisted'],
  // A reviewer of extensions who also sees deleted ones.
  archivist: ['Addons:Review', 'Addons:ViewDeleted'],
  // Administrators of one part of the service.
  editor: ['Addons:Edit'],
  accountAdmin: ['Users:Edit'],
  creator: ['Accounts:SuperCreate'],
  moderator: ['AbuseReports:Edit'],
  curator: ['Admin:Curation'],
  catalogueKeeper: ['Admin:Catalogue'],
  groupAdmin: ['Admin:Groups'],
  auditor: ['Admin:Audit'],
  mailKeeper: ['Admin:Mail'],
  operator: ['Admin:Service'],
  // Keeps the canned responses of reviewers.
  chief: ['Admin:Review'],
  registrar: ['Admin:Groups', 'Users:Edit'],
  // Holders of wildcards.
  ...{ everyAdmin: ['Admin:*'], everyEdit: ['*:Edit'], root: ['*:*'] },
  // None of these is a rule that anything needs.
  mistaken: ['abusereports:edit', 'Users:Edit:*', 'Admin:Group', 'Users', '**:*', 'Admin:Mail '],
  // Every rule that gives no right to an add-on: together they must not either.
  official: [
    ...['Users:Edit', 'Accounts:SuperCreate', 'AbuseReports:Edit', 'Admin:Curation', 'Admin:Catalogue', 'Admin:Groups'],
    ...['Admin:Audit', 'Admin:Mail', 'Admin:Service', 'Admin:Review', 'Addons:SubmitPrivileged', 'Experiments:Submit'],
  ],
  // Every rule that gives no right to accounts and what belongs to them: together they must not either.
  clerk: [
    ...['Accounts:SuperCreate', 'Admin:Audit', 'Admin:Catalogue', 'Admin:Curation', 'Admin:Service'],
    ...['Addons:SubmitPrivileged', 'Experiments:Submit'],
  ],
} as const satisfies Record<string, readonly string[] | null>;

export type Role = keyof typeof RULES;

/** The permission rules of some roles. */
export type RoleRules<Some extends Role = Role> = Readonly<Record<Some, readonly string[] | null>>;

const of = <Some extends Role>(...roles: Some[]): RoleRules<Some> =>
  Object.fromEntries(roles.map((role) => [role, RULES[role] as readonly string[] | null])) as RoleRules<Some>;

const VISITORS = ['anonymous', 'stranger', 'owner', 'developer'] as const;
const REVIEWERS = ['reviewer', 'contentReviewer', 'themeReviewer', 'personaReviewer', 'unlistedReviewer'] as const;
const AROUND_ADDONS = [...VISITORS, ...REVIEWERS, 'archivist', 'editor', 'invited', 'official', 'root'] as const;
const PEOPLE = [
  ...(['anonymous', 'stranger', 'party', 'reviewer', 'editor', 'accountAdmin', 'moderator', 'groupAdmin'] as const),
  ...(['registrar', 'mailKeeper', 'chief', 'everyAdmin', 'everyEdit', 'mistaken', 'clerk', 'root'] as const),
];

/** The roles that the sections of the tables name after `by`: each action of a section is tried as each of them. */
export const ROLE_SETS = {
  authors: of(...AROUND_ADDONS),
  accounts: of(...AROUND_ADDONS, 'self', 'clerk'),
  reviewing: of(...AROUND_ADDONS, 'hiddenAuthor', 'reviewingAuthor', 'formerAuthor', 'postReviewer'),
  // Without roles that differ from others in add-ons and notes alone.
  queue: of(
    ...VISITORS,
    ...(['reviewer', 'contentReviewer', 'themeReviewer', 'unlistedReviewer', 'archivist', 'editor'] as const),
    ...(['invited', 'root', 'hiddenAuthor', 'reviewingAuthor'] as const),
  ),
  people: of(...PEOPLE),
  raters: of(...PEOPLE, 'contentReviewer'),
  invited: of(...PEOPLE, 'owner', 'developer'),
  curating: of(
    ...(['anonymous', 'stranger', 'party', 'reviewer', 'editor', 'curator', 'moderator'] as const),
    ...(['accountAdmin', 'everyAdmin', 'root'] as const),
  ),
  staff: of(
    ...VISITORS,
    ...REVIEWERS,
    ...(['archivist', 'editor', 'accountAdmin', 'creator', 'moderator', 'curator', 'catalogueKeeper'] as const),
    ...(['groupAdmin', 'auditor', 'mailKeeper', 'operator', 'chief', 'root'] as const),
  ),
};

export type RoleSet = keyof typeof ROLE_SETS;
