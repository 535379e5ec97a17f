import { createInstallation, type Installation, type RunningProcess } from '../crash/support/installation.ts';
import { authorization } from '../crash/support/signing-client.ts';

/** A running service of its own and a developer on it. */
export interface Site {
  url: string;
  dataDir: string;
  key: string;
  secret: string;
  /** The root certificate that it serves, PEM. */
  rootPem: string;
  /** Runs a command of the program and returns what it printed. */
  run: Installation['run'];
  /** Gives an add-on what a listed version needs: a category and a licence. The summary is the manifest's. */
  completeListing(guid: string): Promise<void>;
  /** The status of a version, as the signing API answers it. */
  status(prefix: string, guid: string, version: string): Promise<UploadStatus>;
  /** Whether all its processes still run. */
  isRunning(): boolean;
  /** Ends it and removes its folder, or leaves the folder with its logs for a person to look at. */
  close(options?: { keepFolder: boolean }): Promise<void>;
}

/** What is read of an upload's status (contract, Upload status). */
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

/** Starts a web server and a worker as processes of their own. `settings` are environment variables on top of the quiet ones. */
export async function openSite(settings: Record<string, string> = {}): Promise<Site> {
  const installation = await createInstallation(settings);
  try {
    const processes = [await installation.serve(), await installation.work()];
    return await describeSite(installation, processes);
  } catch (error) {
    await installation.remove();
    throw error;
  }
}

async function describeSite(installation: Installation, processes: RunningProcess[]): Promise<Site> {
  const { url, dataDir, run } = installation;
  const { key, secret } = await installation.developer('developer');
  const { token } = JSON.parse(await run('token', 'create', '--user', 'developer', '--json')) as { token: string };
  const rootPem = await (await fetch(`${url}/signing/root.pem`)).text();
  return {
    url,
    dataDir,
    key,
    secret,
    rootPem,
    run,
    completeListing: (guid) => completeListing(url, token, guid),
    status: async (prefix, guid, version) => {
      const headers = { authorization: authorization({ key, secret }) };
      const address = `${prefix}/addons/${encodeURIComponent(guid)}/versions/${version}/`;
      const answer = await fetch(address, { headers });
      if (answer.status !== 200) throw new Error(`${address} answers ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as UploadStatus;
    },
    isRunning: () => processes.every((each) => each.isRunning()),
    close: async (options) => {
      await Promise.all(processes.map((each) => each.end('SIGTERM')));
      await installation.remove(options);
    },
  };
}

const CHOICES = `query ($guid: String!) {
  addon(ref: $guid) { id }
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

async function completeListing(url: string, token: string, guid: string): Promise<void> {
  const { addon, categories, licenses } = await query<Choices>(url, token, CHOICES, { guid });
  const input = { id: addon.id, categories: [categories[0]?.id], license: licenses[0]?.id };
  const { updateAddon } = await query<{ updateAddon: { __typename: string } }>(url, token, UPDATE, { input });
  if (updateAddon.__typename !== 'UpdateAddonPayload') throw new Error(JSON.stringify(updateAddon));
}

async function query<T>(url: string, token: string, text: string, variables: Record<string, unknown>): Promise<T> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  });
  const { data, errors } = (await answer.json()) as { data?: T; errors?: unknown };
  if (!data || errors) throw new Error(`GraphQL: ${JSON.stringify(errors)}`);
  return data;
}
