import { AccountDetailDocument, OwnAccountDocument } from '../../generated/operations/graphql.ts';
import { found } from '../found.ts';
import { account } from '../json/accounts.ts';
import { label, segment } from '../parameters.ts';
import { jsonReply } from '../reply.ts';
import { type Route, route } from '../route.ts';

/** The path parameter that names an account. */
const params = { account: segment('Id or username of the account; upper and lower case are the same.') };

const query = {
  wrap_outgoing_links: label('When present, the homepage leads through the outgoing-link host.'),
};

const responses = { 200: { description: 'The account.', schema: account.schema } };

const accountDetail = route({
  method: 'GET',
  path: '/accounts/account/:account/',
  summary: 'An account',
  signIn: 'optional',
  params,
  query,
  document: AccountDetailDocument,
  variables: ({ path }) => ({ ref: path.account }),
  reply: ({ account: shown }, { view }) => jsonReply(account.write(found(shown), view)),
  responses,
  refusals: [404],
});

const profile = route({
  method: 'GET',
  path: '/accounts/profile/',
  summary: "The client's own account",
  signIn: 'required',
  query,
  document: OwnAccountDocument,
  variables: () => ({}),
  reply: ({ viewer }, { view }) => jsonReply(account.write(found(viewer), view)),
  responses,
});

export const accountRoutes: readonly Route[] = [accountDetail, profile];
