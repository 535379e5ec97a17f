import type { DemoUsername } from '../../src/demo/accounts.ts';
import { type CatalogueLine, daysBefore, moment } from './catalogue-line.ts';
import { randomFor } from './random.ts';

const FIRST = ['Paper', 'Copper', 'Quiet', 'Amber', 'Tidal', 'Linen', 'Cobalt', 'Mossy', 'Silver', 'Maple'];
const SECOND = ['Kite', 'Lantern', 'Otter', 'Compass', 'Teapot', 'Bicycle', 'Lamp', 'Ladder', 'Pebble', 'Window'];
const KINDS = ['Studio', 'Workshop', 'Works', 'Collective', 'Lab'];
const OCCUPATIONS = ['Add-on workshop', 'Translators', 'Theme painters', 'Two people and a kettle', null];
const PLACES = ['By the harbour', 'Up the hill', 'Online', null];

/** The account of the demo that owns the add-ons in unusual states. The demo creates it before the import. */
export const DEMO_DEVELOPER: DemoUsername = 'demo-developer';

/** A fictional group that publishes add-ons. */
export interface Author {
  username: string;
  displayName: string;
}

/** The first `count` authors, at most 100. */
export function authors(count: number): Author[] {
  const all = SECOND.flatMap((second, column) =>
    FIRST.map((first, row) => ({
      username: `${first}-${second}`.toLowerCase(),
      displayName: `${first} ${second} ${KINDS[(row + column) % KINDS.length]}`,
    })),
  );
  return all.slice(0, count);
}

/** The account of an author, as a line of a catalogue file. */
export function accountLine({ username, displayName }: Author, until: Date): CatalogueLine {
  const random = randomFor('account', username);
  const created = daysBefore(until, random.between(910, 1_500));
  return {
    kind: 'account',
    username,
    display_name: displayName,
    email: `${username}@example.org`,
    created: moment(created),
    biography: random.chance(0.5) ? `${displayName} makes small add-ons and answers letters.` : null,
    homepage: random.chance(0.5) ? `https://${username}.example.org/` : null,
    location: random.pick(PLACES),
    occupation: random.pick(OCCUPATIONS),
    is_verified: random.chance(0.8),
    read_dev_agreement: moment(daysBefore(created, -1)),
    deleted: false,
    groups: [],
  };
}
