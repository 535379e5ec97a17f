import { builder, INTERNAL, type ObjectFields } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { Account } from '../accounts/account.ts';
import { superCreate, type TestAccount } from './super-create.ts';

const TestGroupType = builder.objectRef<TestAccount['groups'][number]>('TestAccountGroup').implement({
  description: 'A group of an account for tests.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    name: t.exposeString('name', { description: 'Unique name.' }),
    rules: t.exposeStringList('rules', { description: 'Permission rules of the form app:action; * is a wildcard.' }),
  }),
});

const testAccountFields = (t: ObjectFields<TestAccount>) => ({
  account: t.prismaField({
    type: Account,
    description: 'The new account.',
    resolve: (query, { accountId }) => db.account.findUniqueOrThrow({ ...query, where: { id: accountId } }),
  }),
  displayName: t.exposeString('displayName', { description: 'Display name of the account.' }),
  email: t.exposeString('email', { description: 'E-mail address of the account.' }),
  idpId: t.exposeString('idpId', { nullable: true, description: 'Its id at the identity provider.' }),
  groups: t.expose('groups', { type: [TestGroupType], description: 'Its groups.' }),
  token: t.exposeString('token', { description: 'An access token of the account, valid for a day.' }),
  pageSession: t.exposeString('pageSession', { description: 'Value of the session cookie, which pages accept.' }),
  maxAge: t.exposeInt('maxAge', { description: 'How long both are valid, in seconds.' }),
});

builder.mutationField('superCreate', (t) =>
  t.field({
    type: builder
      .objectRef<TestAccount>('TestAccount')
      .implement({ description: 'A new account for tests.', fields: testAccountFields }),
    subGraphs: INTERNAL,
    description: 'Creates an account for tests from the unchecked values of a REST body.',
    args: { values: t.arg({ type: 'JSON', required: true, description: 'The values by name.' }) },
    resolve: (_root, { values }, { viewer }) =>
      superCreate(viewer, new Map(Object.entries(values as Record<string, unknown>))),
  }),
);
