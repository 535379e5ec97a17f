import { createInstallation, type Installation, type RunningProcess } from '../crash/support/installation.ts';
import { type ApiKey, authorization } from '../crash/support/signing-client.ts';
import { type JobIssuer, startJobIssuer } from './job-issuer.ts';

/** A running installation with a developer account. */
export interface Site {
  url: string;
  dataDir: string;
  key: string;
  secret: string;
  /** The root certificate that it serves, as PEM. */
  rootPem: string;
  /** Runs a command of the program and returns what it printed. */
  run: Installation['run'];
  /** Runs a GraphQL operation as the developer, or with another access token. */
  query<T>(text: string, variables: Record<string, unknown>, token?: string): Promise<T>;
  /** Adds the data that a listed version requires: a category and a licence. The summary comes from the manifest. */
  completeListing(guid: string): Promise<void>;
  /** The status of a version in the signing API. */
  status(prefix: string, guid: string, version: string): Promise<UploadStatus>;
  /** A new key that only uploads versions of this add-on. */
  addonKey(guid: string): Promise<ApiKey>;
  /** A key of 15 minutes that a job of a trusted publisher of this add-on has exchanged its ID token for. */
  jobKey(guid: string): Promise<ApiKey>;
  /** Whether all its processes run. */
  isRunning(): boolean;
  /** Stops it, and removes its folder unless `keepFolder` is set. */
  close(options?: { keepFolder: boolean }): Promise<void>;
}

/** The keys of an upload's status that scenarios read (contract, Upload status). */
export interface UploadStatus {
  guid: string;
  version: string;
  url: string;
  processed: boolean;
  valid: boolean;
  active: boolean;
  reviewed: boolean;
  automated_signing: boolean;
  validation_url: string;
  validation_results: unknown;
  files: { download_url: string; hash: string; signed: boolean }[];
}

/** Starts a web server and a worker process. `settings` are additional environment variables. */
export async function openSite(settings: Record<string, string> = {}): Promise<Site> {
  const jobs = await startJobIssuer();
  const installation = await createInstallation({ PUBLISHING_ISSUERS: jobs.issuer, ...settings });
  try {
    const processes = [await installation.serve(), await installation.work()];
    return await describeSite(installation, processes, jobs);
  } catch (error) {
    jobs.close();
    await installation.remove();
    throw error;
  }
}

async function describeSite(installation: Installation, processes: RunningProcess[], jobs: JobIssuer): Promise<Site> {
  const { url, dataDir, run } = installation;
  const { key, secret } = await installation.developer('developer');
  const { token } = JSON.parse(await run('token', 'create', '--user', 'developer', '--json')) as { token: string };
  const rootPem = await (await fetch(`${url}/signing/root.pem`)).text();
  const query: Site['query'] = (text, variables, other) => sendQuery(url, other ?? token, text, variables);
  return {
    url,
    dataDir,
    key,
    secret,
    rootPem,
    run,
    query,
    completeListing: (guid) => completeListing(query, guid),
    status: async (prefix, guid, version) => {
      const headers = { authorization: authorization({ key, secret }) };
      const address = `${prefix}/addons/${encodeURIComponent(guid)}/versions/${version}/`;
      const response = await fetch(address, { headers });
      if (response.status !== 200) throw new Error(`${address} returned ${response.status}: ${await response.text()}`);
      return (await response.json()) as UploadStatus;
    },
    addonKey: (guid) => addonKey(query, guid),
    jobKey: (guid) => jobKey({ url, query, jobs }, guid),
    isRunning: () => processes.every((each) => each.isRunning()),
    close: async (options) => {
      await Promise.all(processes.map((each) => each.end('SIGTERM')));
      await installation.remove(options);
      jobs.close();
    },
  };
}

const idOf = async (query: Site['query'], guid: string): Promise<string> =>
  (await query<Choices>('query ($guid: String!) { addon(by: { guid: $guid }) { id } }', { guid })).addon.id;

async function addonKey(query: Site['query'], guid: string): Promise<ApiKey> {
  const { createApiKey } = await query<{ createApiKey: { apiKey: { key: string }; secret: string } }>(
    `mutation ($addon: ID) { createApiKey(input: { addon: $addon, label: "test" }) {
      ... on CreateApiKeyPayload { secret apiKey { key } } } }`,
    { addon: await idOf(query, guid) },
  );
  return { key: createApiKey.apiKey.key, secret: createApiKey.secret };
}

/** As docs/publishing-from-ci.md says. */
async function jobKey({ url, query, jobs }: { url: string; query: Site['query']; jobs: JobIssuer }, guid: string) {
  const audience = 'https://addons.example';
  const input = { addon: await idOf(query, guid), issuer: jobs.issuer, subject: jobs.subject, audience };
  const made = await query<{ addTrustedPublisher: { __typename: string } }>(
    'mutation ($input: AddTrustedPublisherInput!) { addTrustedPublisher(input: $input) { __typename } }',
    { input },
  );
  const response = await fetch(`${url}/api/v5/publishing/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ addon: guid, token: await jobs.token(audience) }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${made.addTrustedPublisher.__typename}, ${response.status}: ${text}`);
  return JSON.parse(text) as ApiKey;
}

const CHOICES = `query ($guid: String!) {
  addon(by: { guid: $guid }) { id }
  categories(app: DESKTOP_BROWSER, type: EXTENSION) { id }
  licenses { id }
}`;

const UPDATE = `mutation ($input: UpdateAddonInput!) {
  updateAddon(input: $input) { __typename ... on UserError { message } }
}`;

interface Choices {
  addon: { id: string };
  categories: { id: string }[];
  licenses: { id: string }[];
}

async function completeListing(query: Site['query'], guid: string): Promise<void> {
  const { addon, categories, licenses } = await query<Choices>(CHOICES, { guid });
  const input = { id: addon.id, categories: [categories[0]?.id], license: licenses[0]?.id };
  const { updateAddon } = await query<{ updateAddon: { __typename: string } }>(UPDATE, { input });
  if (updateAddon.__typename !== 'UpdateAddonPayload') throw new Error(JSON.stringify(updateAddon));
}

async function sendQuery<T>(url: string, token: string, text: string, variables: Record<string, unknown>): Promise<T> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  });
  const { data, errors } = (await response.json()) as { data?: T; errors?: unknown };
  if (!data || errors) throw new Error(`GraphQL: ${JSON.stringify(errors)}`);
  return data;
}
