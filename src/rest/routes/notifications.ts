import { z } from 'zod';
import { refusedFields } from '../../errors.ts';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  AccountNotificationsDocument,
  AdmitAccountDocument,
  EndMailingsDocument,
  type NotificationFieldsFragment,
  SetNotificationsDocument,
} from '../../generated/operations/graphql.ts';
import { accountReference } from '../../graphql/references.ts';
import { segmentParam } from '../../http/params.ts';
import { NOTIFICATION_NAMES } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { type ObjectBody, objectBody } from '../body.ts';
import { notificationShape } from '../json/accounts.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { API_VERSIONS, type View } from '../view.ts';

const params = { account: segmentParam('Id or username of the account; upper and lower case are the same.') };

const choice = z.boolean().nullable().meta({ description: 'Whether the account wants this notification.' });

const responses = {
  200: { description: 'All notifications of the account.', schema: z.array(notificationShape.schema) },
};

const listReply = (list: readonly NotificationFieldsFragment[], view: View) =>
  jsonReply(list.map((each) => notificationShape.write(each, view)));

const list = route({
  method: 'GET',
  path: '/accounts/account/:account/notifications/',
  summary: 'Notifications of an account',
  signIn: 'required',
  params,
  document: AccountNotificationsDocument,
  variables: ({ path }) => ({ by: accountReference(path.account) }),
  reply: ({ accountNotifications: shown }, { view }) => listReply(shown, view),
  responses,
  refusals: [403, 404],
});

/** Forms have texts: `true` and `false` are the booleans. */
function valuesOf({ values, isForm }: ObjectBody): Record<string, unknown> {
  const booleans = new Map<unknown, boolean>(
    isForm
      ? [
          ['true', true],
          ['false', false],
        ]
      : [],
  );
  return Object.fromEntries([...values].map(([name, value]) => [name, booleans.get(value) ?? value]));
}

const change = route({
  method: 'POST',
  path: '/accounts/account/:account/notifications/',
  summary: 'Switch notifications of an account on and off',
  signIn: 'required',
  params,
  body: objectBody({ properties: Object.fromEntries(NOTIFICATION_NAMES.map((name) => [name, choice])) }),
  check: { document: AdmitAccountDocument, variables: ({ path }) => ({ by: accountReference(path.account) }) },
  document: SetNotificationsDocument,
  variables: ({ path }, body) => ({ by: accountReference(path.account), values: valuesOf(body) }),
  reply: ({ setNotifications: shown }, { view }) => listReply(shown, view),
  responses,
  refusals: [400, 403, 404, 415],
});

const LINK_TOKEN = /^\d+-[a-z_]+-[0-9a-f]{32}$/;

/** The token of the link of a mail: sent as such, or as its three parts. */
function linkToken(values: ReadonlyMap<string, unknown>): string {
  const read = (name: string): string => {
    const value = values.get(name);
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  };
  const [token, hash, name] = [read('token'), read('hash'), read('notification')];
  const missing = [
    ...(token === '' ? ['token'] : []),
    ...(hash === '' && !LINK_TOKEN.test(token) ? ['hash'] : []),
    ...(name === '' ? ['notification'] : []),
  ];
  if (missing.length > 0) throw refusedFields(new Map(missing.map((each) => [each, message('field.required')])));
  const whole = LINK_TOKEN.test(token) ? token : `${token}-${name}-${hash}`;
  // A token for another notification switches nothing off.
  return whole.includes(`-${name}-`) ? whole : '';
}

const text = (description: string) => z.string().meta({ description });

const unsubscribe = route({
  method: 'POST',
  path: '/accounts/unsubscribe/',
  apiVersions: API_VERSIONS,
  summary: 'Switch a type of mailings off by the link of a mail',
  signIn: 'ignored',
  body: objectBody({
    properties: {
      token: text('The last part of the path of the link, or the account in it.'),
      hash: text('The signature in the link, unless the token is the whole part.'),
      notification: text('The type of mailings.'),
    },
    required: ['token', 'notification'],
  }),
  document: EndMailingsDocument,
  variables: (_input, { values }) => ({ token: linkToken(values) }),
  reply: ({ unsubscribe: result }, { view }) => {
    const { notification: name } = payloadOf(result, 'notification');
    return jsonReply(notificationShape.write({ name, isEnabled: false, isMandatory: false }, view));
  },
  responses: { 200: { description: 'The notification, which is off.', schema: notificationShape.schema } },
  refusals: [400, 404, 415],
});

export const notificationRoutes: readonly Route[] = [unsubscribe, list, change];
