import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import { globalId } from './global-ids.ts';
import { type WebExtensionOptions, xpi } from './packages.ts';
import { sendFile } from './send-file.ts';

/** The fields of an upload that tests read. */
export interface UploadFacts {
  pk: string;
  guid: string | null;
  version: string;
  versionId: string | null;
  channel: string;
  stage: string;
  reason: string | null;
  nextStep: string;
  isSubmitted: boolean;
  expires: string | null;
  validation: { errors: number } | null;
}

const FIELDS = `id guid version versionId channel stage reason nextStep isSubmitted expires
  validation { errors } files { name }`;

const CREATE = `mutation($input: CreateUploadInput!) { result: createUpload(input: $input) { __typename
  ... on UserError { code message path } ... on CreateUploadPayload { upload { ${FIELDS} } } } }`;

/** Adds the identifier in REST, which the global id contains. */
function withPk<Result extends { upload?: unknown }>(result: Result): Result {
  const upload = result.upload as { id: string } | null | undefined;
  if (upload == null) return result;
  const pk = Buffer.from(upload.id, 'base64').toString().slice('Upload:'.length);
  return { ...result, upload: { ...upload, pk } };
}

/** Runs `createUpload` and returns its result, which may be a refusal. */
export function tryCreateUpload(client: Client, bytes: Buffer, channel = 'UNLISTED', fileName = 'package.zip') {
  return sendFile(client, CREATE, { channel }, bytes, { fileName }).then(withPk);
}

/** Uploads a small package without submitting it. */
export async function createUpload(
  client: Client,
  options: WebExtensionOptions = {},
  channel = 'UNLISTED',
): Promise<UploadFacts> {
  const { upload, ...refusal } = await tryCreateUpload(client, await xpi(options), channel);
  if (upload === undefined) throw new Error(`createUpload: ${JSON.stringify(refusal)}`);
  return upload as UploadFacts;
}

/** Uploads a small package and runs the jobs. Returns the pk of the upload. */
export async function validUpload(
  app: TestApp,
  client: Client,
  options: WebExtensionOptions = {},
  channel = 'UNLISTED',
): Promise<string> {
  const { pk } = await createUpload(client, options, channel);
  await app.runJobs();
  return pk;
}

/** The upload with a pk; null for an unknown one. */
export async function uploadOf(client: Client, pk: string): Promise<UploadFacts | null> {
  const query = `query($id: ID!) { upload(by: { id: $id }) { ${FIELDS} } }`;
  const { data } = await client.graphqlResult<{ upload: UploadFacts | null }>(query, { id: globalId('Upload', pk) });
  return data === undefined ? null : (withPk(data).upload ?? null);
}

/** The result of a submission. */
export interface Submitted {
  __typename: string;
  code?: string;
  message?: string;
  path?: string[] | null;
  fields?: { name: string; messages: string[] }[];
  isNewAddon?: boolean;
  isNewVersion?: boolean;
  upload?: UploadFacts;
  addon?: { databaseId: number; guid: string; status: string; slug: string };
  version?: { databaseId: number; version: string; channel: string; approvalNotes: string | null };
}

/** Runs `submitVersion` or `submitAddon`. `upload` is a pk. */
export async function submit(
  client: Client,
  name: 'submitVersion' | 'submitAddon',
  input: Record<string, unknown>,
): Promise<Submitted> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const query = `mutation($input: ${type}Input!) { result: ${name}(input: $input) { __typename
    ... on UserError { code message path } ... on InvalidInputError { fields { name messages } }
    ... on ${type}Payload { isNewAddon isNewVersion upload { ${FIELDS} }
      addon { databaseId guid status slug } version { databaseId version channel approvalNotes } } } }`;
  const { upload, ...fields } = input;
  const values = upload === undefined ? fields : { ...fields, upload: globalId('Upload', upload) };
  return withPk((await client.graphql<{ result: Submitted }>(query, { input: values })).result);
}

/** Categories and licence of a listed add-on, as fields of an input. */
export async function listingInput(app: TestApp): Promise<{ categories: string[]; license: string }> {
  const [row] = await app.sql<{ category: number; license: number }>(
    `SELECT (SELECT min(id) FROM category WHERE app = 'desktop_browser' AND type = 'extension' AND slug = 'other') AS category,
      (SELECT id FROM license WHERE builtin = 'MIT') AS license`,
  );
  return { categories: [globalId('Category', row?.category)], license: globalId('License', row?.license) };
}

/** The versions of an add-on, with its status. */
export const versionRows = (app: TestApp, guid: string) =>
  app.sql<{ version: string; stage: string; status: string; channel: string }>(
    `SELECT v.version, v.stage, v.channel, a.status FROM version v JOIN addon a ON a.id = v.addon_id
     WHERE a.guid = $1 ORDER BY v.id`,
    [guid],
  );

/** Everything that a refused submission must leave as it was. */
export const submissionSnapshot = (app: TestApp) =>
  app.sql(`SELECT (SELECT json_agg(a ORDER BY id) FROM addon a)::text AS addons, (SELECT json_agg(v ORDER BY id) FROM version v)::text AS versions,
    (SELECT json_agg(u ORDER BY id) FROM upload u)::text AS uploads, (SELECT count(*) FROM activity) AS activities,
    (SELECT count(*) FROM license) AS licenses, (SELECT count(*) FROM addon_category) AS categories,
    (SELECT count(*) FROM version_source) AS sources, (SELECT count(*) FROM graphile_worker.jobs) AS jobs`);
