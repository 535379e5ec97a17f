import { describe, expect, it } from 'vitest';
import { canSeeStatistics, rightsTo } from '../../src/auth/addon-rights.ts';
import { hasPermission, parseRule } from '../../src/auth/permissions.ts';
import type { Viewer } from '../../src/auth/viewer.ts';

describe('the text of a permission rule', () => {
  it.each([
    ['Addons:Edit', true],
    ['Addons:*', true],
    ['*:Edit', true],
    ['*:*', true],
    ['Addons:Review', false],
    ['addons:edit', false],
    ['Addons:Edit ', false],
    [' Addons:Edit', false],
    ['Addons:Edit\n', false],
    ['Addons', false],
    ['Addons:', false],
    [':Edit', false],
    [':', false],
    ['', false],
    ['*', false],
    ['**:**', false],
    ['Addons:Ed*', false],
    ['Add*:Edit', false],
    ['*Addons:Edit', false],
    ['Addons:Edit:*', false],
    ['*:*:*', false],
    ['Addons:Edit,Addons:Review', false],
    ['.*:.*', false],
    ['%:%', false],
  ])('%j grants Addons:Edit: %s', (rule, granted) => {
    expect(hasPermission([rule], 'Addons', 'Edit')).toBe(granted);
    expect(hasPermission(['Other:Thing', rule], 'Addons', 'Edit')).toBe(granted);
  });

  it.each([
    ['Addons:Edit', { app: 'Addons', action: 'Edit' }],
    ['*:*', { app: '*', action: '*' }],
    ['Experiments:submit', { app: 'Experiments', action: 'submit' }],
    ['Addons', null],
    ['Add-ons:Edit', null],
    ['*x:Edit', null],
    ['1:2', null],
  ])('%j is read as %j', (text, parsed) => {
    expect(parseRule(text)).toEqual(parsed);
  });
});

describe('the statistics of an add-on', () => {
  const via = { scheme: 'bearer', tokenId: 1, signedInAt: new Date() } as const;
  const account = (accountId: number, ...rules: string[]): Viewer => ({
    ...{ kind: 'account', accountId, username: 'x', rules, via },
  });
  const addon = { publicStats: false, authors: [{ accountId: 1, role: 'developer' }] };

  it.each<[string, Viewer, hidden: boolean]>([
    ['anonymous viewers', { kind: 'anonymous' }, false],
    ['other accounts', account(2), false],
    ['holders of Addons:Edit', account(2, 'Addons:Edit', 'Addons:Review'), false],
    ['holders of Stats:View', account(2, 'Stats:View'), true],
    ['its authors', account(1), true],
  ])('are shown to %s when they are public, and otherwise: %s', (_who, viewer, hidden) => {
    expect(canSeeStatistics(viewer, { ...addon, publicStats: true })).toBe(true);
    expect(canSeeStatistics(viewer, addon)).toBe(hidden);
  });

  it('and its versions are all that authors see of a deleted add-on, and operators restore it', () => {
    const deleted = { ...addon, type: 'extension', status: 'deleted', isDisabledByDeveloper: false };
    const facts = { ...deleted, deletedAt: new Date(0), hasListedVersion: true };
    expect(rightsTo(account(1), facts)).toEqual(['inspect', 'inspect_unlisted', 'see_statistics']);
    expect(rightsTo(account(2, 'Addons:Edit'), facts)).toEqual(['administer']);
  });
});
