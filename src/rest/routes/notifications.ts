import { z } from 'zod';
import {
  AccountNotificationsDocument,
  AdmitAccountDocument,
  type NotificationFieldsFragment,
  SetNotificationsDocument,
} from '../../generated/operations/graphql.ts';
import { accountReference } from '../../graphql/references.ts';
import { segment } from '../../http/params.ts';
import { type ObjectBody, objectBody } from '../body.ts';
import { notification } from '../json/accounts.ts';
import { jsonReply, type Route, route } from '../route.ts';
import type { View } from '../view.ts';

const params = { account: segment('Id or username of the account; upper and lower case are the same.') };

const choice = z.boolean().nullable().meta({ description: 'Whether the account wants this notification.' });

/** The types that accounts can switch off, and the mandatory ones, which are refused. */
const NAMES = [
  'reply',
  'new_features',
  'upgrade_success',
  'sdk_upgrade_success',
  'new_review',
  'upgrade_fail',
  'sdk_upgrade_fail',
  'reviewer_reviewed',
  'individual_contact',
  'announcements',
];

const responses = { 200: { description: 'All notifications of the account.', schema: z.array(notification.schema) } };

const listReply = (list: readonly NotificationFieldsFragment[], view: View) =>
  jsonReply(list.map((each) => notification.write(each, view)));

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
  body: objectBody({ properties: Object.fromEntries(NAMES.map((name) => [name, choice])) }),
  check: { document: AdmitAccountDocument, variables: ({ path }) => ({ by: accountReference(path.account) }) },
  document: SetNotificationsDocument,
  variables: ({ path }, body) => ({ by: accountReference(path.account), values: valuesOf(body) }),
  reply: ({ setNotifications: shown }, { view }) => listReply(shown, view),
  responses,
  refusals: [400, 403, 404, 415],
});

export const notificationRoutes: readonly Route[] = [list, change];
