import { z } from 'zod';
import { refusedField } from '../../errors.ts';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  AccountDetailDocument,
  type AccountFieldsFragment,
  AdmitAccountDocument,
  AdmitProfileDocument,
  DeleteAccountDocument,
  EditAccountDocument,
  OwnAccountDocument,
  RemoveAccountPictureDocument,
} from '../../generated/operations/graphql.ts';
import { accountReference } from '../../graphql/references.ts';
import { clearedSessionCookies } from '../../http/cookies.ts';
import { labelParam, segmentParam } from '../../http/params.ts';
import { message } from '../../texts/messages.ts';
import { objectBody } from '../body.ts';
import { accountShape } from '../json/accounts.ts';
import { requireFound } from '../json/shape.ts';
import { siteStatus } from '../json/site.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { API_VERSIONS, type View } from '../view.ts';
import { hasLaterKeys } from '../words.ts';

/** The path parameter that names an account. */
const params = { account: segmentParam('Id or username of the account; upper and lower case are the same.') };

const query = {
  wrap_outgoing_links: labelParam('When present, the homepage leads through the outgoing-link host.'),
};

const responses = { 200: { description: 'The account.', schema: accountShape.schema } };

const accountDetail = route({
  method: 'GET',
  path: '/accounts/account/:account/',
  apiVersions: API_VERSIONS,
  summary: 'An account',
  signIn: 'optional',
  params,
  query,
  document: AccountDetailDocument,
  variables: ({ path }) => ({ by: accountReference(path.account) }),
  reply: ({ account: shown }, { view }) => jsonReply(accountShape.write(requireFound(shown), view)),
  responses,
  refusals: [404],
});

const ownAccount = accountShape.schema
  .extend({
    site_status: siteStatus.schema.optional().meta({ description: 'Under v4, where the installation has API_WORDS.' }),
  })
  .meta({ id: 'OwnAccount' });

const profile = route({
  method: 'GET',
  path: '/accounts/profile/',
  apiVersions: API_VERSIONS,
  summary: "The client's own account",
  signIn: 'required',
  query,
  document: OwnAccountDocument,
  variables: ({ view }) => ({ lang: view.lang }),
  reply: ({ viewer, serviceState }, { view }) =>
    jsonReply({
      ...accountShape.write(requireFound(viewer), view),
      ...(hasLaterKeys(view) ? { site_status: siteStatus.write(serviceState, view) } : {}),
    }),
  responses: { 200: { description: 'The account.', schema: ownAccount } },
});

const text = (description: string) => z.string().nullable().meta({ description });

/** The value of a text, or the refusal of another one. */
const textOrRefusal = z.union([z.string().nullable(), z.unknown().transform(() => message('field.not_text'))]);

const PICTURE_BYTES = 4 * 1024 * 1024;

const PROFILE = objectBody({
  properties: {
    biography: text('Text without links, at most 10,000 characters.'),
    display_name: text('The name to show, at most 255 characters.'),
    homepage: text('http(s) address of at most 255 characters.'),
    location: text('Plain text of at most 255 characters.'),
    occupation: text('Plain text of at most 255 characters.'),
    username: text('Letters, digits, underscores and hyphens, not only digits; null for a generated one.'),
  },
  file: {
    name: 'picture_upload',
    description: 'A PNG or JPEG of at most 4 MiB.',
    limitBytes: PICTURE_BYTES,
    tooLarge: () => refusedField('picture_upload', message('picture.too_large', { max: PICTURE_BYTES })),
  },
});

/** The account to change. */
const admitted = {
  document: AdmitAccountDocument,
  variables: ({ path }: { path: { account: string } }) => ({ by: accountReference(path.account) }),
};

/** Counts the change, and refuses clients that may not make it, before the body is read. */
const check = {
  document: AdmitProfileDocument,
  variables: ({ path }: { path: { account: string } }) => ({ by: accountReference(path.account) }),
};

/** The account after a change. Only reads wrap its homepage: front ends edit the response. */
const changedReply = (shown: AccountFieldsFragment, view: View) =>
  jsonReply(accountShape.write(shown, { ...view, wrapsLinks: false }));

const editAccount = route({
  method: 'PATCH',
  path: '/accounts/account/:account/',
  summary: 'Change an account',
  signIn: 'required',
  params,
  body: PROFILE,
  parameterNames: { displayName: 'display_name', file: 'picture_upload' },
  check,
  document: EditAccountDocument,
  variables: ({ path }, { values, file }) => ({
    by: accountReference(path.account),
    values: Object.fromEntries(
      [...values].map(([name, value]) => [name === 'display_name' ? 'displayName' : name, textOrRefusal.parse(value)]),
    ),
    picture: file && Promise.resolve(file),
  }),
  reply: ({ editAccount: shown }, { view }) => changedReply(shown, view),
  responses,
  refusals: [400, 403, 404, 415],
});

const deletePicture = route({
  method: 'DELETE',
  path: '/accounts/account/:account/picture',
  summary: 'Delete the picture of an account',
  signIn: 'required',
  params,
  check: admitted,
  document: RemoveAccountPictureDocument,
  variables: (_input, _body, { admission: id }) => ({ id: String(id) }),
  reply: ({ setAccountPicture: result }, { view }) => changedReply(payloadOf(result, 'account').account, view),
  responses,
  refusals: [403, 404],
});

const deleteAccount = route({
  method: 'DELETE',
  path: '/accounts/account/:account/',
  summary: 'Delete an account',
  signIn: 'required',
  params,
  check: admitted,
  document: DeleteAccountDocument,
  variables: (_input, _body, { admission: id }) => ({ id: String(id) }),
  reply: ({ deleteAccount: result }) => ({
    kind: 'empty',
    ...(payloadOf(result, 'isOwn').isOwn ? { cookies: clearedSessionCookies() } : {}),
  }),
  responses: { 204: { description: 'The account is deleted.' } },
  refusals: [400, 403, 404],
});

export const accountRoutes: readonly Route[] = [accountDetail, editAccount, deleteAccount, deletePicture, profile];
