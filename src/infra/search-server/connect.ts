/* The client of the search server: Elasticsearch 9, Elasticsearch 8 or OpenSearch, which accept different media types. */
import { readFileSync } from 'node:fs';
import { Client, type ClientOptions, Transport } from '@elastic/elasticsearch';
import { config } from '../../config.ts';
import { SearchServerError } from './failures.ts';

type Flavor = 'elasticsearch9' | 'elasticsearch8' | 'opensearch';

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

/** Plain JSON, without the check that the server is Elasticsearch. */
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

/** For a server that has just started or is busy; requests have shorter deadlines. */
const DETECTION_MS = 10_000;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

function createClient(transport: typeof Transport): Client {
  const { ELASTICSEARCH_URL: node = '', ELASTICSEARCH_CA_FILE: caFile } = config;
  const auth = credentials();
  return new Client({
    node,
    Transport: transport,
    // The caller has a fallback.
    maxRetries: 0,
    maxResponseSize: MAX_RESPONSE_BYTES,
    ...(auth === undefined ? {} : { auth }),
    ...(caFile ? { tls: { ca: readAuthority(caFile) } } : {}),
  });
}

/** @throws {SearchServerError} when the file cannot be read. */
function readAuthority(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new SearchServerError(`cannot be verified; ELASTICSEARCH_CA_FILE: ${(error as Error).message}`);
  }
}

function credentials(): ClientOptions['auth'] {
  const { ELASTICSEARCH_API_KEY: apiKey, ELASTICSEARCH_USERNAME: username, ELASTICSEARCH_PASSWORD: password } = config;
  if (apiKey !== undefined) return { apiKey };
  return username === undefined ? undefined : { username, password: password ?? '' };
}

/** Makes a client for the configured server. @throws {SearchServerError} when its flavor cannot be detected. */
export async function connectSearchServer(): Promise<Client> {
  const flavor = config.SEARCH_FLAVOR === 'auto' ? await detect() : config.SEARCH_FLAVOR;
  return createClient(TRANSPORTS[flavor]);
}

/** Uses `/_nodes/_local`, because some distributions have no `GET /`. */
async function detect(): Promise<Flavor> {
  const client = createClient(PlainTransport);
  try {
    const { body, headers } = await client.transport.request<{ nodes?: Record<string, { version?: string }> }>(
      { method: 'GET', path: '/_nodes/_local', querystring: { filter_path: 'nodes.*.version' } },
      { meta: true, requestTimeout: DETECTION_MS },
    );
    const [node] = Object.values(body?.nodes ?? {});
    const major = Number.parseInt(node?.version ?? '', 10);
    if (Number.isNaN(major)) throw new SearchServerError('does not report its version');
    if (headers['x-elastic-product'] === undefined) return 'opensearch';
    return major >= 9 ? 'elasticsearch9' : 'elasticsearch8';
  } finally {
    await client.close();
  }
}
