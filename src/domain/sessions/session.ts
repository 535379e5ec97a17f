import { canSeePrivateAccount } from '../../auth/account-permissions.ts';
import { requireSignedIn } from '../../auth/permissions.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { databaseId, idOf } from '../../graphql/global-id.ts';
import { mutation, mutationWithoutInput } from '../../graphql/mutation.ts';
import { db } from '../../infra/db.ts';
import { AccountPrivate, changedAccount } from '../accounts/account.ts';
import { endOtherSessions, endSession, signOut, validSessions } from './end-sessions.ts';
import { hostOf, removeIdentity } from './link-identity.ts';
import { type FinishedSignIn, finishSignIn, type StartedSignIn, startIdentityLink, startSignIn } from './sign-in.ts';

const StartedSignInType = builder.objectRef<StartedSignIn>('StartedSignIn').implement({
  description: 'A sign-in that continues at the identity provider.',
  fields: (t) => ({
    location: t.exposeString('location', { description: 'Where the provider signs the person in.' }),
    browser: t.exposeString('browser', {
      description: 'Value of the cookie that binds the sign-in to the browser.',
    }),
  }),
});

builder.mutationField('startSignIn', (t) =>
  t.field({
    type: StartedSignInType,
    subGraphs: INTERNAL,
    description: 'Starts a sign-in through the identity provider.',
    args: {
      to: t.arg.string({ description: 'Where the sign-in leads.' }),
      browser: t.arg.string({ description: 'Cookie of an earlier sign-in.' }),
      pageSession: t.arg.string({ description: 'Cookie of the page session.' }),
    },
    resolve: (_root, { to, browser, pageSession }, { ip }) =>
      startSignIn(to ?? null, { browser: browser ?? null, pageSession: pageSession ?? null }, ip),
  }),
);

const FinishedSignInType = builder.objectRef<FinishedSignIn>('FinishedSignIn').implement({
  description: 'A finished sign-in with its credentials.',
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The access token.' }),
    pageSession: t.exposeString('pageSession', { description: 'Value of the session cookie.' }),
    maxAge: t.exposeInt('maxAge', { description: 'How long both are valid, in seconds.' }),
    email: t.exposeString('email', { description: 'E-mail address of the account.' }),
    nextPath: t.exposeString('nextPath', { description: 'Where the sign-in leads.' }),
  }),
});

builder.mutationField('finishSignIn', (t) =>
  t.field({
    type: FinishedSignInType,
    subGraphs: INTERNAL,
    description: 'Finishes a sign-in through the identity provider.',
    args: {
      code: t.arg.string({ description: 'The code of the provider.' }),
      state: t.arg.string({ description: 'The state of the started sign-in.' }),
      error: t.arg.string({ description: 'The error of the provider.' }),
      issuer: t.arg.string({ description: 'The parameter iss of the provider.' }),
      browser: t.arg.string({ description: 'Cookie of the started sign-in.' }),
      pageSession: t.arg.string({ description: 'Cookie of an earlier page session.' }),
    },
    resolve: (_root, { code, state, error, issuer, browser, pageSession }, { ip, locale }) => {
      const callback = { code, state, error, issuer, browser, pageSession };
      const given = Object.entries(callback).map(([name, value]) => [name, value ?? null]);
      return finishSignIn(Object.fromEntries(given), { ip, locale });
    },
  }),
);

mutationWithoutInput('signOut', {
  description:
    'Ends the session of the access token that authenticates this request. Does nothing for a one-time token of an API key.',
  resolve: async ({ viewer }) => ({ ended: await signOut(viewer) }),
  payloadFields: (t) => ({ endedCount: t.exposeInt('ended', { description: 'How many sessions ended: 1 or none.' }) }),
});

mutationWithoutInput('endOtherSessions', {
  description:
    'Ends all sessions of the viewer but that of this request. With a one-time token of an API key, all of them. For signed-in viewers.',
  resolve: async ({ viewer }) => ({ ended: await endOtherSessions(viewer) }),
  payloadFields: (t) => ({ endedCount: t.exposeInt('ended', { description: 'How many sessions ended.' }) }),
});

mutation('endSession', {
  description: 'Ends a session, which is refused from the next request on. For its account and holders of Users:Edit.',
  input: 'The session to end.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the session.' }) }),
  resolve: async (input, { viewer }) => {
    const id = idOf('Session', input.id);
    await endSession(viewer, id);
    return { id };
  },
  payloadFields: (t) => ({
    session: t.prismaField({
      type: Session,
      description: 'The ended session.',
      resolve: (query, { id }) => db.accessToken.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

mutationWithoutInput('linkIdentity', {
  description:
    'Starts to add a way to sign in to the account of the viewer: the person signs in at the identity provider in a browser with a page session of the account.',
  resolve: ({ viewer }) => startIdentityLink(viewer),
  payloadFields: (t) => ({
    location: t.exposeString('location', { description: 'Where the provider signs the person in.' }),
    browser: t.exposeString('browser', { description: 'Value that the browser must have as the cookie addons_login.' }),
  }),
});

mutation('removeIdentity', {
  description: 'Removes a way to sign in from the account of the viewer. The last one stays.',
  input: 'The identity to remove.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the identity.' }) }),
  resolve: async (input, { viewer }) => {
    const person = requireSignedIn(viewer);
    await removeIdentity(person.accountId, { id: idOf('AccountIdentity', input.id) }, person);
    return { accountId: person.accountId };
  },
  payloadFields: changedAccount('The account after the change.'),
});

/** A way to sign in to an account. */
const AccountIdentity = builder.prismaObject('AccountIdentity', {
  name: 'AccountIdentity',
  description: 'A way to sign in: a person at the identity provider. Visible to its account and holders of Users:Edit.',
  findUnique: ({ id }) => ({ id }),
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    provider: t.string({
      description: 'Host of the identity provider.',
      select: { issuer: true },
      resolve: ({ issuer }) => hostOf(issuer),
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'The e-mail address that the provider stated at the last use.',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was linked to the account.' }),
    lastUsed: t.expose('lastUsed', { type: 'DateTime', nullable: true, description: 'The last sign-in with it.' }),
  }),
});

builder.nodeRef(AccountIdentity, {
  id: { description: 'Global id.', resolve: (row) => (row as { id: number }).id },
  loadOne: async (id, { viewer }) => {
    const identity = await db.accountIdentity.findUnique({ where: { id: databaseId(id) } });
    return identity !== null && canSeePrivateAccount(viewer, identity.accountId) ? identity : null;
  },
});

builder.prismaObjectField(AccountPrivate, 'identities', (t) =>
  t.relation('identities', {
    type: AccountIdentity,
    query: { orderBy: { id: 'asc' } },
    description: 'The ways to sign in to the account, oldest first. linkIdentity adds one, removeIdentity removes one.',
  }),
);

/** A page session ends with its access token, so both are one session. */
export const Session = builder.prismaObject('AccessToken', {
  name: 'Session',
  description:
    'An access token of an account, with the session for pages that the same sign-in made. Visible to its account and holders of Users:Edit.',
  findUnique: ({ id }) => ({ id }),
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    label: t.string({
      description: 'How the session was made, or the note of a token made by the operator.',
      select: { label: true },
      resolve: ({ label }) => label || 'Access token',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When the session started.' }),
    expires: t.expose('expires', { type: 'DateTime', description: 'When the session ends by itself.' }),
    lastUsed: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Last use of the token or of a page, rounded to the minute; null before the first.',
      select: { lastUsed: true, pageSession: { select: { created: true, lastUsed: true } } },
      resolve: ({ lastUsed, pageSession }) => {
        const onPages =
          pageSession !== null && pageSession.lastUsed > pageSession.created ? pageSession.lastUsed : null;
        return onPages !== null && (lastUsed === null || onPages > lastUsed) ? onPages : lastUsed;
      },
    }),
    isCurrent: t.boolean({
      description: 'Whether this request is authenticated by it.',
      resolve: ({ id }, _args, { viewer }) =>
        viewer.kind === 'account' && 'tokenId' in viewer.via && viewer.via.tokenId === id,
    }),
  }),
});

builder.nodeRef(Session, {
  id: { description: 'Global id.', resolve: (row) => (row as { id: number }).id },
  loadOne: async (id, { viewer }) => {
    const session = await db.accessToken.findUnique({ where: { id: databaseId(id) } });
    return session !== null && canSeePrivateAccount(viewer, session.accountId) ? session : null;
  },
});

builder.prismaObjectField(AccountPrivate, 'sessions', (t) =>
  t.relation('accessTokens', {
    type: Session,
    query: validSessions,
    description: 'The sessions that are valid now, newest first. endSession ends one.',
  }),
);
