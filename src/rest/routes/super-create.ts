import { z } from 'zod';
import { config } from '../../config.ts';
import {
  AdmitTestAccountDocument,
  SuperCreateDocument,
  type SuperCreateMutation,
} from '../../generated/operations/graphql.ts';
import { sessionCookieName, sessionCookies } from '../../http/cookies.ts';
import { objectBody } from '../body.ts';
import { shape } from '../json/shape.ts';
import { jsonReply, type Route, route } from '../route.ts';

/** A group as a list of id, name and rules. */
const group = z.tuple([z.int(), z.string(), z.string()]);

const cookieOf = (session: string) => ({
  encoded: `${sessionCookieName()}=${session}`,
  name: sessionCookieName(),
  value: session,
});

const testAccount = shape<SuperCreateMutation['superCreate']>({
  username: [z.string(), ({ account }) => account.username],
  display_name: [z.string(), ({ displayName }) => displayName],
  user_id: [z.int(), ({ account }) => account.databaseId],
  email: [z.string(), ({ email }) => email],
  idp_id: [z.string().nullable(), ({ idpId }) => idpId],
  groups: [
    z.array(group),
    ({ groups }) => groups.map(({ databaseId, name, rules }) => [databaseId, name, rules.join(',')]),
  ],
  session_cookie: [
    z.strictObject({ encoded: z.string(), name: z.string(), value: z.string() }),
    ({ pageSession }) => cookieOf(pageSession),
  ],
});

const text = (description: string) => z.string().meta({ description });

const superCreate = route({
  method: 'POST',
  path: '/accounts/super-create/',
  summary: 'Create an account for tests and sign in as it',
  isServed: () => config.SUPER_CREATE,
  signIn: 'required',
  errors: 'unprocessable',
  parameterNames: { idpId: 'idp_id' },
  body: objectBody({
    properties: {
      email: text('E-mail address; a fake one by default.'),
      username: text('Username; a random one by default.'),
      idp_id: text('Id at the identity provider; none by default.'),
      group: text('reviewer, or admin for all permissions; no group by default.'),
    },
  }),
  check: { document: AdmitTestAccountDocument, variables: () => ({}) },
  document: SuperCreateDocument,
  variables: (_input, { values }) => {
    const { idp_id: idpId, ...others } = Object.fromEntries(values);
    return { values: { ...others, idpId } };
  },
  reply: ({ superCreate: made }, { view }) => ({
    ...jsonReply(testAccount.write(made, view), 201),
    cookies: sessionCookies(made.token, made.pageSession, made.maxAge),
  }),
  responses: { 201: { description: 'The account and its session.', schema: testAccount.schema } },
  refusals: [403, 404, 415, 422],
});

export const superCreateRoutes: readonly Route[] = [superCreate];
