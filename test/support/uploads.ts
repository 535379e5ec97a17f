import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
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
  submitted: boolean;
  expires: string | null;
  processed: boolean;
  valid: boolean;
  url: string;
  validation: { errors: number } | null;
}

const FIELDS = `pk guid version versionId channel stage reason nextStep submitted expires processed valid url
  validation { errors } files { name }`;

const CREATE = `mutation($input: CreateUploadInput!) { result: createUpload(input: $input) { __typename
  ... on UserError { code message path } ... on CreateUploadPayload { upload { ${FIELDS} } } } }`;

/** Runs `createUpload` and returns its result, which may be a refusal. */
export function tryCreateUpload(client: Client, bytes: Buffer, channel = 'UNLISTED', fileName = 'package.zip') {
  return sendFile(client, CREATE, { channel }, bytes, { fileName });
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
  const query = `query($pk: String!) { upload(pk: $pk) { ${FIELDS} } }`;
  const { data } = await client.graphqlResult<{ upload: UploadFacts | null }>(query, { pk });
  return data?.upload ?? null;
}

/** The result of a submission. */
export interface Submitted {
  __typename: string;
  code?: string;
  message?: string;
  path?: string[] | null;
  fields?: { name: string; messages: string[] }[];
  addonCreated?: boolean;
  versionCreated?: boolean;
  upload?: UploadFacts;
  addon?: { databaseId: number; guid: string; status: string; slug: string };
  version?: { databaseId: number; version: string; channel: string; approvalNotes: string | null };
}

/** Runs `submitVersion` or `submitAddon`. */
export async function submit(
  client: Client,
  name: 'submitVersion' | 'submitAddon',
  input: Record<string, unknown>,
): Promise<Submitted> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const query = `mutation($input: ${type}Input!) { result: ${name}(input: $input) { __typename
    ... on UserError { code message path } ... on InvalidInputError { fields { name messages } }
    ... on ${type}Payload { addonCreated versionCreated upload { ${FIELDS} }
      addon { databaseId guid status slug } version { databaseId version channel approvalNotes } } } }`;
  return (await client.graphql<{ result: Submitted }>(query, { input })).result;
}
