import { describe, expect, it } from 'vitest';
import { hasPermission, parseRule } from '../../src/auth/permissions.ts';

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
