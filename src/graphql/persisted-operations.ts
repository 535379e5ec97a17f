import { createHash } from 'node:crypto';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { type DocumentNode, GraphQLError, parse } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { config } from '../config.ts';
import documents from '../generated/samples/persisted-documents.json' with { type: 'json' };

/** The operations of `schema/samples`, by the SHA-256 of their text. Codegen validates them against the public schema. */
export const PERSISTED: ReadonlyMap<string, string> = new Map(
  Object.entries(documents).map(([hash, text]) => [hash.replace(/^sha256:/, ''), text]),
);

const parsed = new Map<string, DocumentNode>();

/** The persisted operation with this hash, parsed once; null for an unknown hash. */
function persistedDocument(hash: string): DocumentNode | null {
  const text = PERSISTED.get(hash);
  if (text === undefined) return null;
  const document = parsed.get(hash) ?? parse(text, { noLocation: true });
  parsed.set(hash, document);
  return document;
}

const refusal = (message: string, code: string) =>
  new GraphQLError(message, { extensions: { code, http: { status: 400 } } });

const onlyPersisted = () =>
  refusal('Only persisted operations are accepted: send a sha256Hash.', 'PERSISTED_QUERY_ONLY');
const noQuery = () => refusal('The request has no query.', 'BAD_REQUEST');

/**
 * Lets a client send `extensions.persistedQuery.sha256Hash` instead of `query`: the URL of a GET request stays short. With the
 * setting PERSISTED_ONLY, all other operations are refused. Stock clients stop sending hashes at PersistedQueryNotSupported;
 * clients cannot register operations.
 */
export function persistedOperations(): Plugin[] {
  const operations = usePersistedOperations({
    getPersistedOperation: persistedDocument,
    // Codegen validates them. Limits of the query text are for the texts of clients; the cost is limited for both.
    skipDocumentValidation: true,
    allowArbitraryOperations: () => !config.PERSISTED_ONLY,
    customErrors: {
      notFound: () => refusal('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED'),
      keyNotFound: () => (config.PERSISTED_ONLY ? onlyPersisted() : noQuery()),
      persistedQueryOnly: onlyPersisted,
    },
  });
  return [{ onParams: ({ params }) => requireMatchingHash(params) }, operations];
}

/** @throws {GraphQLError} for a query that is sent with the hash of another text. */
function requireMatchingHash({ query, extensions }: GraphQLParams): void {
  const hash = (extensions?.persistedQuery as { sha256Hash?: unknown } | null | undefined)?.sha256Hash;
  if (typeof query !== 'string' || hash === undefined) return;
  if (createHash('sha256').update(query).digest('hex') === hash) return;
  throw refusal('The sha256Hash is not that of the query.', 'PERSISTED_QUERY_HASH_MISMATCH');
}
