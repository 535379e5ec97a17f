/*
 * What each role may do with every object that is no add-on, version or account, which object-states.test.ts has: one table for each
 * kind, by the state of the object.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Viewer } from '../../src/auth/viewer.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { Outcome } from '../support/authorization/object-rules.ts';
import { makePeople } from '../support/authorization/people.ts';
import { type AnyTable, outcomesOf } from '../support/authorization/state-table.ts';
import { STATE_TABLES } from '../support/authorization/state-tables.ts';

const ENOUGH_ROLES = 10;

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type People = Awaited<ReturnType<typeof makePeople>>;

const people = new Map<object, Promise<People>>();

/** The accounts of roles, which tables with the same ones share. */
function peopleOf(rules: AnyTable['roles']): Promise<People> {
  const made = people.get(rules) ?? makePeople(app, rules, people.size === 0 ? '' : `${people.size}-`);
  people.set(rules, made);
  return made;
}

describe.each(STATE_TABLES)('$kind in every state', ({ kind, roles, states, make, actions }) => {
  let viewers: Record<string, Viewer>;
  let objects: Record<string, unknown>;
  const found = new Map<string, Map<string, Outcome>>();

  beforeAll(async () => {
    const made = await peopleOf(roles);
    viewers = made.viewers;
    objects = await make(app, made.ids);
  });

  it('has enough roles', () => {
    expect(Object.keys(roles).length, kind).toBeGreaterThanOrEqual(ENOUGH_ROLES);
  });

  it.each(actions)('$name is open to the specified roles', async (action) => {
    const names = Object.keys(states).filter((state) => action.states?.(states[state]) ?? true);
    const [outcomes, wrong] = [new Map<string, Outcome>(), [] as string[]];
    for (const role of Object.keys(roles)) {
      const expected = names.map((state) => action.rule(states[state], role));
      const own = names.map((state, index) =>
        action.spare && expected[index] === 200 ? action.spare(app) : objects[state],
      );
      const viewer = viewers[role];
      if (viewer === undefined) throw new Error(role);
      for (const [index, outcome] of (await outcomesOf(action, await Promise.all(own), viewer)).entries()) {
        const cell = `${names[index]}, ${role}`;
        outcomes.set(cell, outcome);
        if (outcome !== expected[index]) wrong.push(`${cell}: ${outcome}, not ${expected[index]}`);
        for (const other of action.sameAs ?? []) {
          const byRest = found.get(other)?.get(cell);
          if (outcome !== byRest) wrong.push(`${cell}: ${outcome}, but ${byRest} by ${other}`);
        }
      }
    }
    found.set(action.name, outcomes);
    expect(wrong.join('\n')).toBe('');
  });
});
