/* Update addresses by state. REST has none. */
import { randomBytes } from 'node:crypto';
import type { TestApp } from '../app.ts';
import { type AddonFacts, addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import { holds, PEOPLE_RULES, type PersonRole } from './state-roles.ts';
import { fieldRow, hasId, mutationRow, nodeRow, type StateRule, type StateTable } from './state-table.ts';

type Maker = 'party' | 'stranger' | 'reviewer';

interface AddressFacts {
  maker: Maker;
  /** Without holders of `Addons:Edit`: the authors of the add-on that it is for, or its maker while there is none. */
  managers: readonly PersonRole[];
  /** Working addresses are in a list of their add-on, or of their maker. */
  listedBy: 'addon' | 'account' | null;
  isUnknown?: true;
  /** The add-on is deleted: of these accounts, root alone sees it. */
  isAddonDeleted?: true;
}

interface Address {
  id: string;
  maker: string;
  addon: string;
}

const facts = (
  listedBy: AddressFacts['listedBy'],
  managers: readonly PersonRole[] = ['party'],
  maker: Maker = 'party',
): AddressFacts => ({ maker, managers, listedBy });

const STATES = {
  ofUnlisted: facts('addon'),
  ofListed: facts('addon'),
  ofDisabled: facts('addon'),
  ofDisabledByDevelopers: facts('addon'),
  ofDeleted: { ...facts('addon'), isAddonDeleted: true },
  ofOtherAuthor: facts('addon', ['party', 'reviewer'], 'reviewer'),
  ofFormerAuthor: facts('addon', ['party'], 'stranger'),
  madeBeforeOwnAddon: facts('addon'),
  // Another account was the first to create the add-on.
  madeBeforeOtherAddon: facts('account', ['stranger'], 'stranger'),
  withoutAddon: facts('account'),
  ended: facts(null),
  endedWithoutAddon: facts(null),
  unknown: { ...facts(null, []), isUnknown: true },
} as const satisfies Record<string, AddressFacts>;

type Rule = StateRule<AddressFacts, PersonRole>;

const read: Rule = ({ managers, isUnknown }, role) =>
  !isUnknown && (managers.includes(role) || holds(role, 'Addons:Edit')) ? 200 : 404;
const end: Rule = (given, role) => (role === 'anonymous' ? 401 : read(given, role));
const listOfAddon: Rule = (given, role) => {
  const isHidden = given.listedBy !== 'addon' || (given.isAddonDeleted && role !== 'root');
  return isHidden ? 404 : read(given, role);
};
const listOfAccount: Rule = ({ listedBy, maker }, role) =>
  listedBy === 'account' && (maker === role || holds(role, 'Users:Edit')) ? 200 : 404;

const DELETED: AddonFacts = { status: 'deleted', slug: null, deletedAt: new Date('2020-01-01T00:00:00Z') };
const UNLISTED: AddonFacts = { status: 'incomplete', versions: [{ channel: 'unlisted' }] };

/** The add-on with the guid of the address, and whether it existed first. */
const ADDONS: Partial<Record<keyof typeof STATES, { facts: AddonFacts; isLater?: true }>> = {
  ofUnlisted: { facts: UNLISTED },
  ofListed: { facts: {} },
  ofDisabled: { facts: { ...UNLISTED, status: 'disabled' } },
  ofDisabledByDevelopers: { facts: { isDisabledByDeveloper: true } },
  ofDeleted: { facts: DELETED },
  ofOtherAuthor: { facts: UNLISTED },
  ofFormerAuthor: { facts: UNLISTED },
  madeBeforeOwnAddon: { facts: UNLISTED, isLater: true },
  madeBeforeOtherAddon: { facts: UNLISTED, isLater: true },
  ended: { facts: UNLISTED },
};

async function make(_app: TestApp, ids: Record<PersonRole, number>): Promise<Record<string, Address>> {
  const { db } = await import('../../../src/infra/db.ts');
  const addresses: Record<string, Address> = {};
  for (const name of Object.keys(STATES) as (keyof typeof STATES)[]) {
    const { maker, isUnknown }: AddressFacts = STATES[name];
    const { facts: addonFacts, isLater } = ADDONS[name] ?? {};
    const authors = name === 'ofOtherAuthor' ? [ids.party, ids.reviewer] : [ids.party];
    const made = addonFacts && (await addon({ authors, ...addonFacts }));
    const { id } = await db.updateAddress.create({
      data: {
        ...{ guid: made?.guid ?? `${name}@example`, accountId: ids[maker], keyHash: randomBytes(32).toString('hex') },
        addonId: isLater ? null : (made?.id ?? null),
        ended: name.startsWith('ended') ? new Date() : null,
      },
    });
    if (isUnknown) await db.updateAddress.delete({ where: { id } });
    addresses[name] = {
      ...{ id: globalId('UpdateAddress', id), maker: globalId('Account', ids[maker]) },
      addon: globalId('Addon', made?.id ?? 2_000_000_000),
    };
  }
  return addresses;
}

const PRIVATE = 'private { updateAddresses { id } }';

export const ADDRESS_TABLE: StateTable<AddressFacts, PersonRole, Address> = {
  ...{ kind: 'an update address', roles: PEOPLE_RULES, states: STATES, make },
  actions: [
    nodeRow('UpdateAddress', read),
    fieldRow('Addon.updateAddresses, with the address', listOfAddon, ({ addon: id }) => id, 'updateAddresses { id }', {
      isShown: hasId,
    }),
    fieldRow('Account.private, with its addresses', listOfAccount, ({ maker }) => maker, PRIVATE, { isShown: hasId }),
    mutationRow('endUpdateAddress', end),
  ],
};
