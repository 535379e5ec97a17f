/* Invitations of authors by state. `party` is invited; an invitation gives it no other right. There are none in REST. */
import type { TestApp } from '../app.ts';
import { addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import { PEOPLE_RULES } from './state-roles.ts';
import { fieldRow, hasId, listRow, mutationRow, type StateRule, type StateTable } from './state-table.ts';

interface InvitationFacts {
  /** Whether it can be accepted. */
  isOpen: boolean;
  /** Whether it and its add-on exist. */
  exists: boolean;
  /** Whether the operator has disabled the add-on, whose owners then change nothing. */
  isDisabled?: true;
}

interface MadeInvitation {
  id: string;
  addon: string;
}

const ROLES = { ...PEOPLE_RULES, owner: [], developer: [] } as const;
type InvitationRole = keyof typeof ROLES;

const OPEN: InvitationFacts = { isOpen: true, exists: true };
const GONE: InvitationFacts = { isOpen: false, exists: false };

const STATES = {
  open: OPEN,
  expired: { isOpen: false, exists: true },
  ofDisabledAddon: { ...OPEN, isDisabled: true },
  ofDeletedAddon: GONE,
  unknown: GONE,
} as const satisfies Record<string, InvitationFacts>;

type Rule = StateRule<InvitationFacts, InvitationRole>;

const answer: Rule = ({ isOpen }, role) => (role === 'anonymous' ? 401 : role === 'party' && isOpen ? 200 : 404);

const manage: Rule = ({ exists, isDisabled }, role) => {
  if (role === 'anonymous') return 401;
  if (!exists || !['owner', 'developer'].includes(role)) return 404;
  return role === 'owner' && !isDisabled ? 200 : 403;
};

const ofAddon: Rule = ({ exists }, role) => (exists && ['owner', 'developer'].includes(role) ? 200 : 404);

let people: Record<InvitationRole, number>;

async function invite(app: TestApp, facts: Parameters<typeof addon>[0] = {}, days = 1): Promise<MadeInvitation> {
  const authors = [people.owner, { id: people.developer, role: 'developer' as const }];
  const made = await addon({ status: 'incomplete', authors, ...facts });
  const [row] = await app.sql<{ id: number }>(
    `INSERT INTO author_invitation (addon_id, account_id, role, listed, invited_by, expires)
     VALUES ($1, $2, 'developer', true, $3, now() + make_interval(days => $4)) RETURNING id`,
    [made.id, people.party, people.owner, days],
  );
  return { id: globalId('AuthorInvitation', row?.id), addon: globalId('Addon', made.id) };
}

async function make(app: TestApp, ids: Record<InvitationRole, number>): Promise<Record<string, MadeInvitation>> {
  people = ids;
  return {
    open: await invite(app),
    expired: await invite(app, {}, -1),
    ofDisabledAddon: await invite(app, { status: 'disabled' }),
    ofDeletedAddon: await invite(app, { status: 'deleted', slug: null, deletedAt: new Date() }),
    unknown: { ...(await invite(app, {}, -1)), id: globalId('AuthorInvitation', 2_000_000_000) },
  };
}

const spare = (app: TestApp): Promise<MadeInvitation> => invite(app);

const mutation = (name: string, rule: Rule) =>
  mutationRow<InvitationFacts, InvitationRole, MadeInvitation>(name, rule, undefined, { spare });

export const INVITATION_TABLE: StateTable<InvitationFacts, InvitationRole, MadeInvitation> = {
  ...{ kind: 'an invitation of an author', roles: ROLES, states: STATES, make },
  actions: [
    { ...listRow('authorInvitations', answer, '{ id addon { id } }'), covers: ['AuthorInvitation.addon'] },
    fieldRow('Addon.authorInvitations', ofAddon, ({ addon: id }) => id, 'authorInvitations { id }', {
      ...{ states: ({ exists }) => exists, isShown: hasId },
    }),
    mutation('acceptAuthorInvitation', answer),
    mutation('declineAuthorInvitation', answer),
    mutation('resendAuthorInvitation', manage),
    mutation('withdrawAuthorInvitation', manage),
  ],
};
