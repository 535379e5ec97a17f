import { afterAll, describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../src/domain/activity/actions.ts';
import { actionLabel, NOTE_ACTIONS } from '../../../src/domain/reviewing/note-actions.ts';
import { createTestDatabase } from '../../support/database.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../../src/infra/db.ts');
const { recordActivity } = await import('../../../src/domain/activity/record-activity.ts');

afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

describe('ACTIONS', () => {
  const facts = Object.entries(ACTIONS as Record<string, { audience: string; mail?: string }>);

  it('label the seven actions of review notes of the contract, and that of source code', () => {
    expect(NOTE_ACTIONS.every((action) => Object.hasOwn(ACTIONS, action))).toBe(true);
    expect(Object.fromEntries(NOTE_ACTIONS.map((action) => [action, actionLabel(action, 'en-US')]))).toEqual({
      approved: 'Approved',
      rejected: 'Rejected',
      'review-requested': 'Review requested',
      'more-information-requested': 'More information requested',
      'super-review-requested': 'Super review requested',
      comment: 'Comment',
      'review-note': 'Review note',
      'source-code-uploaded': 'Source code uploaded',
    });
  });

  it('shows comments to reviewers only and mails decisions, requests and replies', () => {
    expect(facts.filter(([, { audience }]) => audience === 'reviewers').map(([action]) => action)).toEqual(['comment']);
    expect(facts.filter(([, { mail }]) => mail).map(([action]) => action)).toEqual([
      'approved',
      'rejected',
      'more-information-requested',
      'review-note',
    ]);
  });
});

describe('recordActivity', () => {
  it('removes characters that PostgreSQL cannot store', async () => {
    const details = { username: 'dev', reason: 'a\0b\ud800', words: ['\udfff'] };
    const entry = { action: 'account-created', comments: 'a\0b\ud800', details } as const;
    await db.$transaction((tx) => recordActivity(tx, entry));
    const row = { action: 'account-created', accountId: null, addonId: null, versionId: null, comments: 'ab\ufffd' };
    const stored = { username: 'dev', reason: 'ab\ufffd', words: ['\ufffd'] };
    expect(await db.activity.findFirst()).toMatchObject({ ...row, details: stored });
  });
});
