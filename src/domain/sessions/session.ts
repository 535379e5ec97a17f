import { canSeePrivateAccount } from '../../auth/account-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { AccountPrivate } from '../accounts/account.ts';
import { validSessions } from './end-sessions.ts';

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
