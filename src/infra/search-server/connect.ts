/*
 * The client of the search server. One client speaks to Elasticsearch 9, Elasticsearch 8 and OpenSearch; they differ by
 * the media types that they accept.
 */
import { readFileSync } from 'node:fs';
import { Client, type ClientOptions, Transport } from '@elastic/elasticsearch';
import { config } from '../../config.ts';
import { SearchServerError } from './errors.ts';

export type Flavor = 'elasticsearch9' | 'elasticsearch8' | 'opensearch';

type TransportOptions = ConstructorParameters<typeof Transport>[0];
type MediaTypes = NonNullable<TransportOptions['vendoredHeaders']>;

const PLAIN: MediaTypes = {
  jsonContentType: 'application/json',
  ndjsonContentType: 'application/x-ndjson',
  accept: 'application/json',
};

const COMPATIBLE_WITH_8: MediaTypes = {
  jsonContentType: 'application/vnd.elasticsearch+json; compatible-with=8',
  ndjsonContentType: 'application/vnd.elasticsearch+x-ndjson; compatible-with=8',
  accept: 'application/vnd.elasticsearch+json; compatible-with=8,text/plain',
};

/** Plain JSON, to whoever answers. */
class PlainTransport extends Transport {
  constructor({ productCheck: _, ...options }: TransportOptions) {
    super({ ...options, vendoredHeaders: PLAIN });
  }
}

class TransportOf8 extends Transport {
  constructor(options: TransportOptions) {
    super({ ...options, vendoredHeaders: COMPATIBLE_WITH_8 });
  }
}

const TRANSPORTS = { elasticsearch9: Transport, elasticsearch8: TransportOf8, opensearch: PlainTransport } as const;

/** Whoever asks waits no longer than he wants to; this is for one that has just started, or has much to do. */
const PROBE_MS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

function createClient(OwnTransport: typeof Transport): Client {
  const { ELASTICSEARCH_URL: node = '', ELASTICSEARCH_CA_FILE: caFile } = config;
  const auth = credentials();
  return new Client({
    node,
    Transport: OwnTransport,
    // Whoever asks decides how long to wait, and has something else to do than to ask again.
    maxRetries: 0,
    maxResponseSize: MOST_BYTES,
    ...(auth === undefined ? {} : { auth }),
    ...(caFile ? { tls: { ca: readFileSync(caFile) } } : {}),
  });
}

function credentials(): ClientOptions['auth'] {
  const { ELASTICSEARCH_API_KEY: apiKey, ELASTICSEARCH_USERNAME: username, ELASTICSEARCH_PASSWORD: password } = config;
  if (apiKey !== undefined) return { apiKey };
  return username === undefined ? undefined : { username, password: password ?? '' };
}

/** A client for the server that the settings name, which is asked what it is unless the settings say so. */
export async function connect(): Promise<Client> {
  const flavor = config.SEARCH_FLAVOR === 'auto' ? await detect() : config.SEARCH_FLAVOR;
  return createClient(TRANSPORTS[flavor]);
}

/** `GET /` would tell as well, but some distributions have none. */
async function detect(): Promise<Flavor> {
  const client = createClient(PlainTransport);
  try {
    const { body, headers } = await client.transport.request<{ nodes?: Record<string, { version?: string }> }>(
      { method: 'GET', path: '/_nodes/_local', querystring: { filter_path: 'nodes.*.version' } },
      { meta: true, requestTimeout: PROBE_MS },
    );
    const [node] = Object.values(body?.nodes ?? {});
    const major = Number.parseInt(node?.version ?? '', 10);
    if (Number.isNaN(major)) throw new SearchServerError('does not say what it is');
    if (headers['x-elastic-product'] === undefined) return 'opensearch';
    return major >= 9 ? 'elasticsearch9' : 'elasticsearch8';
  } finally {
    await client.close();
  }
}
