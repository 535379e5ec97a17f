import { z } from 'zod';
import { count, meta, url } from './types.ts';

/** Settings of search, with or without a search server. */
export const searchSettings = {
  ELASTICSEARCH_URL: [
    url.optional(),
    meta('Search', 'Elasticsearch 8.19 or newer, or OpenSearch 3. Without it, PostgreSQL serves searches.', true),
  ],
  SEARCH_FLAVOR: [
    z.enum(['auto', 'elasticsearch9', 'elasticsearch8', 'opensearch']).default('auto'),
    meta('Search', 'Kind of the search server: elasticsearch9, elasticsearch8 or opensearch. auto detects it.'),
  ],
  ELASTICSEARCH_USERNAME: [z.string().optional(), meta('Search', 'Account at the search server.')],
  ELASTICSEARCH_PASSWORD: [z.string().optional(), meta('Search', 'Its password.', true)],
  ELASTICSEARCH_API_KEY: [z.string().optional(), meta('Search', 'API key, in place of an account.', true)],
  ELASTICSEARCH_CA_FILE: [
    z.string().optional(),
    meta('Search', 'Certificate (PEM) of the authority of the search server.'),
  ],
  SEARCH_INDEX: [
    z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,39}$/)
      .default('addons'),
    meta('Search', 'Prefix of index names; installations that share a search server need different prefixes.'),
  ],
  SEARCH_TIMEOUT_MS: [
    count(10, 10_000).default(250),
    meta('Search', 'Milliseconds that a search waits for the search server.'),
  ],
  SEARCH_WRITE_TIMEOUT_MS: [count(100, 300_000).default(30_000), meta('Search', 'Timeout of a write to it, in ms.')],
  SEARCH_FALLBACK: [
    z.enum(['postgres', 'none']).default('postgres'),
    meta('Search', 'What serves searches during an outage of the search server: postgres, or none (503).'),
  ],
  SEARCH_QUEUE: [
    count(0, 10_000).default(64),
    meta('Search', 'Searches that may wait for one of the SEARCH_CONNECTIONS; further ones get 503.'),
  ],
  SEARCH_WINDOW: [
    count(50, 1_000_000).default(25_000),
    meta('Search', 'Results of one search that pages reach. A search server needs a reindex after a change.'),
  ],
} as const;
