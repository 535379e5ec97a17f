import { z } from 'zod';
import { FinishSignInDocument, SignOutDocument, StartSignInDocument } from '../../generated/operations/graphql.ts';
import {
  clearedSessionCookies,
  LOGIN_COOKIE,
  loginCookie,
  sessionCookieName,
  sessionCookies,
} from '../../http/cookies.ts';
import { labelParam } from '../../http/params.ts';
import { shape } from '../json/shape.ts';
import { jsonReply, type Route, route } from '../route.ts';

const startSignIn = route({
  method: 'GET',
  path: '/accounts/login/start/',
  summary: 'Start a sign-in at the identity provider',
  signIn: 'ignored',
  changesState: true,
  query: {
    to: labelParam('Path on this site that the sign-in leads to.'),
    action: labelParam('Accepted and ignored.'),
    config: labelParam('Accepted and ignored.'),
  },
  document: StartSignInDocument,
  variables: ({ query, client }) => ({
    to: query.to,
    browser: client.cookie(LOGIN_COOKIE),
    pageSession: client.cookie(sessionCookieName()),
  }),
  reply: ({ startSignIn: { location, browser } }) => ({
    kind: 'redirect',
    location,
    cookies: [loginCookie(browser)],
  }),
  responses: { 302: { description: 'The address of the identity provider that signs the person in.' } },
  refusals: [404, 429],
});

const token = shape<{ email: string; token: string }>({
  email: [z.string(), ({ email }) => email],
  token: [z.string(), (result) => result.token],
});

const authenticate = route({
  method: 'GET',
  path: '/accounts/authenticate/',
  summary: 'Finish a sign-in: the identity provider sends browsers here',
  signIn: 'ignored',
  changesState: true,
  errors: 'sign-in',
  query: {
    code: labelParam('The code of the identity provider.'),
    state: labelParam('The state of the sign-in.'),
    error: labelParam('Why the identity provider did not sign the person in.'),
    iss: labelParam('The issuer, if the identity provider states it.'),
    format: labelParam('json: a JSON response instead of a redirect, like an Accept header that prefers JSON.'),
  },
  document: FinishSignInDocument,
  variables: ({ query: { code, state, error, iss: issuer }, client }) => ({
    ...{ code, state, error, issuer },
    browser: client.cookie(LOGIN_COOKIE),
    pageSession: client.cookie(sessionCookieName()),
  }),
  reply: ({ finishSignIn: result }, { client, view }) => {
    const used = { name: LOGIN_COOKIE, value: '', maxAge: 0 };
    const cookies = [...sessionCookies(result.token, result.pageSession, result.maxAge), used];
    if (!client.prefersJson()) return { kind: 'redirect', location: result.nextPath, cookies };
    return { ...jsonReply(token.write(result, view)), cookies };
  },
  responses: {
    200: { description: 'Signed in: e-mail address and access token.', schema: token.schema },
    302: { description: 'Signed in. The cookies have the access token and the page session.' },
  },
  refusals: [400, 401, 403, 404, 422, 429],
});

const signedOut = shape<{ ok: boolean }>({ ok: [z.literal(true), ({ ok }) => ok] });

const signOut = route({
  method: 'DELETE',
  path: '/accounts/session/',
  summary: 'End the session of the access token',
  signIn: 'required',
  document: SignOutDocument,
  variables: () => ({}),
  reply: (_result, { view }) => ({
    ...jsonReply(signedOut.write({ ok: true }, view)),
    cookies: clearedSessionCookies(),
  }),
  responses: { 200: { description: 'The session has ended.', schema: signedOut.schema } },
});

export const signInRoutes: readonly Route[] = [startSignIn, authenticate, signOut];
