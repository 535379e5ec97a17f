import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { type DocumentNode, parse, validate } from 'graphql';
import { config } from '../config.ts';
import documents from '../generated/operations/persisted-documents.json' with { type: 'json' };
import { publicSchema } from './schema.ts';

/**
 * The operations of `schema/operations` that the public schema has everything for, each with the fragments it needs, by the
 * SHA-256 of its text.
 */
export const PERSISTED: ReadonlyMap<string, string> = new Map(
  Object.entries(documents)
    .filter(([, text]) => validate(publicSchema, parse(text)).length === 0)
    .map(([hash, text]) => [hash.replace(/^sha256:/, ''), text]),
);

/** Parsed when first asked for. Apart from texts that others send, whose refusals are remembered by the text. */
const parsed = new Map<string, DocumentNode>();

/** The checked-in operation with this hash, and null for an unknown one. */
export function persistedDocument(hash: string): DocumentNode | null {
  const known = parsed.get(hash);
  const text = PERSISTED.get(hash);
  if (known !== undefined || text === undefined) return known ?? null;
  const document = parse(text, { noLocation: true });
  parsed.set(hash, document);
  return document;
}

const refusal = (message: string, code: string) => ({ message, extensions: { code, http: { status: 400 } } });

/**
 * Lets a client send `extensions.persistedQuery.sha256Hash` in place of `query`: a GET of it is short, and proxies can keep
 * its answer. With the setting PERSISTED_ONLY, nothing else is answered.
 */
export function persistedOperations() {
  return usePersistedOperations({
    getPersistedOperation: persistedDocument,
    // They are validated by a test, and the limits of texts are for those of others; what an answer costs is counted as ever.
    skipDocumentValidation: true,
    allowArbitraryOperations: () => !config.PERSISTED_ONLY,
    customErrors: {
      notFound: refusal('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND'),
      keyNotFound: refusal('PersistedQueryKeyNotFound', 'PERSISTED_QUERY_ONLY'),
      persistedQueryOnly: refusal('PersistedQueryOnly', 'PERSISTED_QUERY_ONLY'),
    },
  });
}
