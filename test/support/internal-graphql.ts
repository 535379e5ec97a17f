import { ANONYMOUS, type Viewer } from '../../src/auth/viewer.ts';
import type { Context } from '../../src/graphql/context.ts';
import type { Client } from './client.ts';

/**
 * Runs an operation on the full schema in this process, as REST does, for an account without permissions.
 * @throws the error of the first resolver that failed, or the error of a mutation.
 */
export async function runInternal<Data>(
  query: string,
  variables: Record<string, unknown> = {},
  { accountId = null }: { accountId?: Client['accountId'] } = {},
): Promise<Data> {
  const { execute } = await import('../../src/execution/execute.ts');
  const { TypedDocumentString } = await import('../../src/generated/operations/graphql.ts');
  const via = { scheme: 'bearer', tokenId: 1, signedInAt: new Date() } as const;
  const viewer: Viewer =
    accountId === null ? ANONYMOUS : { kind: 'account', accountId, username: 'tester', rules: [], via };
  const context: Context = { viewer, locale: 'en-US', ip: null, requestId: 'test' };
  return execute(new TypedDocumentString<Data, Record<string, unknown>>(query), variables, context);
}
