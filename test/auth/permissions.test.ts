import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as accounts from '../../src/auth/account-permissions.ts';
import * as rules from '../../src/auth/permissions.ts';
import { ANONYMOUS, type Viewer } from '../../src/auth/viewer.ts';

const { hasPermission } = rules;

const OWNER_ID = 1;
const DEVELOPER_ID = 2;

/** An account that is not an author, with these rules. */
function holder(...granted: string[]): Viewer {
  const via = { scheme: 'bearer', tokenId: 1, signedInAt: new Date() } as const;
  return { kind: 'account', accountId: 9, username: 'holder', rules: granted, via };
}

const author = (accountId: number, ...granted: string[]): Viewer => ({ ...holder(...granted), accountId }) as Viewer;

/** The account of the developer, with these rules. */
const target = (...granted: string[]) => ({ accountId: DEVELOPER_ID, rules: granted });

/** All viewers, in the order in which the rows below list them. */
const VIEWERS = {
  anonymous: ANONYMOUS,
  stranger: holder(),
  owner: author(OWNER_ID),
  developer: author(DEVELOPER_ID),
  editor: holder('Addons:Edit'),
  reviewer: holder('Addons:Review'),
  unlisted: holder('Addons:ReviewUnlisted'),
  themes: holder('Addons:ThemeReview'),
  personas: holder('Personas:Review'),
  content: holder('Addons:ContentReview'),
  users: holder('Users:Edit'),
  curator: holder('Admin:Curation'),
  keeper: holder('Admin:Catalogue'),
  admin: holder('*:*'),
} as const;

type Name = keyof typeof VIEWERS;

const AUTHORS = [
  { accountId: OWNER_ID, role: 'owner' },
  { accountId: DEVELOPER_ID, role: 'developer' },
];
const edited = (status: string) => ({ status, authors: AUTHORS });
const addon = (type = 'extension') => ({ type, authors: AUTHORS });
const shown = (changes: Partial<rules.AddonVisibility> = {}): rules.AddonVisibility => ({
  ...addon(),
  status: 'incomplete',
  isDisabledByDeveloper: false,
  deletedAt: null,
  hasListedVersion: true,
  ...changes,
});
const file = (channel: string, { type = 'extension', deleted = false, addonDeleted = false } = {}) => ({
  channel,
  deletedAt: deleted ? new Date() : null,
  addon: { ...addon(type), deletedAt: addonDeleted ? new Date() : null },
});

const ALL = Object.keys(VIEWERS) as Name[];

/** Whether a rule that throws lets a viewer pass. */
const passes =
  (require: (viewer: Viewer) => unknown) =>
  (viewer: Viewer): boolean => {
    try {
      return require(viewer) === viewer;
    } catch {
      return false;
    }
  };

/** Each rule and state, with the viewers that it allows; all others are refused. */
const TABLE: [string, (viewer: Viewer) => boolean, Name[]][] = [
  ['see what its developers see', (v) => rules.canEditAddon(v, AUTHORS), ['owner', 'developer', 'editor', 'admin']],
  ['edit a listing', (v) => rules.canEditListing(v, edited('public')), ['owner', 'developer', 'editor', 'admin']],
  ['edit a disabled listing', (v) => rules.canEditListing(v, edited('disabled')), ['editor', 'admin']],
  ['say who its authors are', (v) => rules.canManageAddon(v, edited('nominated')), ['owner']],
  ['say that of a disabled one', (v) => rules.canManageAddon(v, edited('disabled')), []],
  ['edit releases', (v) => rules.canEditReleases(v, edited('public')), ['owner', 'developer']],
  ['edit releases of a disabled add-on', (v) => rules.canEditReleases(v, edited('disabled')), []],
  ['disable an add-on as its developers', (v) => rules.canSwitchAddon(v, AUTHORS), ['owner', 'developer']],
  ['see all authors', (v) => rules.canSeeAllAuthors(v, AUTHORS), ['owner', 'developer', 'editor', 'admin']],
  ['work on any add-on', rules.canEditAnyAddon, ['editor', 'admin']],
  ['delete an add-on', (v) => rules.canDeleteAddon(v, edited('public')), ['owner']],
  ['delete a disabled add-on', (v) => rules.canDeleteAddon(v, edited('disabled')), []],
  ['disable an add-on as operator', rules.canDisableAddon, ['editor', 'admin']],
  ['upload a version', (v) => rules.canUploadVersion(v, AUTHORS), ['owner', 'developer']],
  [
    'see the state of an upload',
    (v) => rules.canSeeUploadStatus(v, AUTHORS),
    ['owner', 'developer', 'editor', 'admin'],
  ],
  [
    'see the files of a listed upload',
    (v) => rules.canSeeUploadFiles(v, AUTHORS, 'listed'),
    ['owner', 'developer', 'editor', 'reviewer', 'themes', 'personas', 'content', 'admin'],
  ],
  [
    'see the files of an unlisted upload',
    (v) => rules.canSeeUploadFiles(v, AUTHORS, 'unlisted'),
    ['owner', 'developer', 'editor', 'unlisted', 'admin'],
  ],
  ['decide about a listed extension', (v) => rules.canReview(v, addon(), 'listed'), ['reviewer', 'admin']],
  ['decide about a listed dictionary', (v) => rules.canReview(v, addon('dictionary'), 'listed'), ['reviewer', 'admin']],
  [
    'decide about a listed static theme',
    (v) => rules.canReview(v, addon('statictheme'), 'listed'),
    ['themes', 'admin'],
  ],
  ['decide about a listed persona', (v) => rules.canReview(v, addon('persona'), 'listed'), ['personas', 'admin']],
  ['decide about an unlisted extension', (v) => rules.canReview(v, addon(), 'unlisted'), ['unlisted', 'admin']],
  [
    'decide about an unlisted static theme',
    (v) => rules.canReview(v, addon('statictheme'), 'unlisted'),
    ['unlisted', 'admin'],
  ],
  ['see a public add-on', (v) => rules.canSeeAddon(v, shown({ status: 'public' })), ALL],
  [
    'see a public add-on that its developers switched off',
    (v) => rules.canSeeAddon(v, shown({ status: 'public', isDisabledByDeveloper: true })),
    ['owner', 'developer', 'editor', 'reviewer', 'unlisted', 'content', 'admin'],
  ],
  [
    'see a disabled add-on',
    (v) => rules.canSeeAddon(v, shown({ status: 'disabled' })),
    ['owner', 'developer', 'editor', 'reviewer', 'unlisted', 'content', 'admin'],
  ],
  [
    'see an add-on without listed versions',
    (v) => rules.canSeeAddon(v, shown({ hasListedVersion: false })),
    ['owner', 'developer', 'editor', 'unlisted', 'admin'],
  ],
  [
    'see a persona that is not public, which has no versions',
    (v) => rules.canSeeAddon(v, shown({ type: 'persona', status: 'pending', hasListedVersion: false })),
    ['owner', 'developer', 'editor', 'unlisted', 'personas', 'admin'],
  ],
  ['see a deleted add-on', (v) => rules.canSeeAddon(v, shown({ status: 'deleted', deletedAt: new Date() })), ['admin']],
  [
    'see listed versions that are not public',
    (v) => rules.canSeeVersionsOf(v, addon(), 'listed'),
    ['owner', 'developer', 'reviewer', 'content', 'admin'],
  ],
  [
    'see unlisted versions',
    (v) => rules.canSeeVersionsOf(v, addon(), 'unlisted'),
    ['owner', 'developer', 'unlisted', 'admin'],
  ],
  ['see deleted versions', rules.canSeeDeletedVersions, ['admin']],
  [
    'download a listed file that is not public',
    (v) => rules.canDownloadFile(v, file('listed')),
    ['owner', 'developer', 'editor', 'reviewer', 'content', 'admin'],
  ],
  [
    'download a persona that is not public',
    (v) => rules.canDownloadFile(v, file('listed', { type: 'persona' })),
    ['owner', 'developer', 'editor', 'personas', 'admin'],
  ],
  [
    'download an unlisted file',
    (v) => rules.canDownloadFile(v, file('unlisted')),
    ['owner', 'developer', 'editor', 'unlisted', 'admin'],
  ],
  ['download a deleted file', (v) => rules.canDownloadFile(v, file('listed', { deleted: true })), ['admin']],
  [
    'download from a deleted add-on',
    (v) => rules.canDownloadFile(v, file('unlisted', { addonDeleted: true })),
    ['admin'],
  ],
  [
    'see the private half of an account',
    (v) => accounts.canSeePrivateAccount(v, OWNER_ID),
    ['owner', 'users', 'admin'],
  ],
  ['edit an account', (v) => accounts.canEditAccount(v, target()), ['developer', 'users', 'admin']],
  [
    'edit an account with the same rule',
    (v) => accounts.canEditAccount(v, target('Users:Edit')),
    ['developer', 'users', 'admin'],
  ],
  [
    'edit an account with another rule',
    (v) => accounts.canEditAccount(v, target('Addons:Edit')),
    ['developer', 'admin'],
  ],
  ['edit an account with a wildcard', (v) => accounts.canEditAccount(v, target('Users:*')), ['developer', 'admin']],
  ['edit an administrator', (v) => accounts.canEditAccount(v, target('*:*')), ['developer', 'admin']],
  [
    'act on an account with the rule to edit add-ons',
    (v) => accounts.canActOn(v, target('Addons:Edit')),
    ['developer', 'editor', 'admin'],
  ],
  ['edit any account', accounts.canEditAnyAccount, ['users', 'admin']],
  ['curate the site', passes((v) => rules.requirePermission(v, 'Admin:Curation')), ['curator', 'admin']],
  ['keep the catalogue', passes((v) => rules.requirePermission(v, 'Admin:Catalogue')), ['keeper', 'admin']],
];

describe('the viewers who may', () => {
  it.each(TABLE)('%s', (_what, allows, expected) => {
    expect(ALL.filter((name) => allows(VIEWERS[name]))).toEqual(expected);
  });

  it('review an own version are authors with the rule of reviewers, not authors as such', () => {
    expect(rules.canReview(author(OWNER_ID), addon(), 'listed')).toBe(false);
    expect(rules.canReview(author(OWNER_ID, 'Addons:Review'), addon(), 'listed')).toBe(true);
    expect(rules.canReview(author(OWNER_ID, 'Addons:Review'), addon(), 'unlisted')).toBe(false);
  });

  it('see a deleted add-on are reviewers of its channel with Addons:ViewDeleted', () => {
    const deleted = shown({ status: 'deleted', deletedAt: new Date() });
    expect(rules.canSeeAddon(holder('Addons:ViewDeleted'), deleted)).toBe(false);
    expect(rules.canSeeAddon(holder('Addons:ViewDeleted', 'Addons:Review'), deleted)).toBe(true);
    expect(
      rules.canDownloadFile(holder('Addons:ViewDeleted', 'Addons:Review'), file('unlisted', { deleted: true })),
    ).toBe(false);
  });
});

describe('an error of authorization', () => {
  it.each([
    ['requireReviewer', (viewer: Viewer) => rules.requireReviewer(viewer, addon(), 'listed')],
    ['requirePermission', (viewer: Viewer) => rules.requirePermission(viewer, 'Users:Edit')],
  ])('of %s is 401 for anonymous viewers and 403 for others', (_name, require) => {
    expect(() => require(VIEWERS.anonymous)).toThrow(
      expect.objectContaining({ code: 'NOT_AUTHENTICATED', message: 'Authentication credentials were not provided.' }),
    );
    expect(() => require(VIEWERS.stranger)).toThrow(
      expect.objectContaining({
        code: 'NOT_PERMITTED',
        message: 'You do not have permission to perform this action.',
      }),
    );
    expect(require(VIEWERS.admin)).toBe(VIEWERS.admin);
  });

  it('has the flags of a disabled add-on in both cases', () => {
    const flags = { is_disabled_by_developer: true, is_disabled_by_vendor: false };
    expect(rules.refuse(ANONYMOUS, flags)).toMatchObject({ code: 'NOT_AUTHENTICATED', details: { flags } });
    expect(rules.refuse(holder(), flags)).toMatchObject({ code: 'NOT_PERMITTED', details: { flags } });
    expect(rules.refuse(ANONYMOUS).details).toEqual({});
  });

  it('is thrown by requireSignedIn for anonymous viewers only', () => {
    expect(rules.requireSignedIn(VIEWERS.stranger)).toBe(VIEWERS.stranger);
    expect(() => rules.requireSignedIn(ANONYMOUS)).toThrow('Authentication credentials were not provided.');
  });
});

describe('a permission rule', () => {
  const part = fc.oneof(
    fc.constantFrom('*', 'Addons', 'Edit', 'Users', 'A', '**', 'Addons*', '', 'addons', '*:', ' Addons'),
    fc.string({ maxLength: 6 }),
  );
  const text = fc.oneof(
    fc.tuple(part, part).map((parts) => parts.join(':')),
    fc.string({ maxLength: 12 }),
    part,
  );

  it('grants exactly what each rule grants, for any set of rules', () => {
    const word = /^[A-Za-z][A-Za-z0-9]*$/;
    const name = fc.constantFrom('Addons', 'Edit', 'Users', 'A');
    const property = fc.property(fc.array(text, { maxLength: 6 }), name, name, (granted, app, action) => {
      const expected = granted.some((rule) => {
        const parts = rule.split(':');
        const valid = parts.length === 2 && parts.every((one) => one === '*' || word.test(one));
        return valid && ['*', app].includes(parts[0] ?? '') && ['*', action].includes(parts[1] ?? '');
      });
      return hasPermission(granted, app, action) === expected;
    });
    fc.assert(property, { numRuns: 5000 });
  });

  it('never removes a permission', () => {
    const property = fc.property(fc.array(text, { maxLength: 4 }), text, (granted, more) =>
      TABLE.every(([, allows]) => !allows(holder(...granted)) || allows(holder(...granted, more))),
    );
    fc.assert(property, { numRuns: 500 });
  });

  it('is needed by anonymous viewers for everything except public add-ons', () => {
    const allowed = TABLE.filter(([, allows]) => allows(ANONYMOUS)).map(([what]) => what);
    expect(allowed).toEqual(['see a public add-on']);
  });
});
