import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import { untilSessionsWait } from './locks.ts';
import { xpi } from './packages.ts';

/** The path of a version's upload. */
export const path = (guid: string, version = '1.0') => `/api/v4/addons/${guid}/versions/${version}/`;

/** The keys of an upload's status that tests read. */
export interface Status {
  pk: string;
  processed: boolean;
  valid: boolean;
  active: boolean;
  reviewed: boolean;
  passed_review: boolean;
  automated_signing: boolean;
  files: { download_url: string; hash: string; signed: boolean }[];
  validation_results: {
    errors: number;
    messages: { id: string[]; file: string; line: number; column: number }[];
  } | null;
}

/** The documented flags of a status, and which of its files are signed. */
export const flags = ({ processed, valid, active, reviewed, passed_review, automated_signing, files }: Status) => ({
  processed,
  valid,
  active,
  reviewed,
  passed_review,
  automated_signing,
  signed: files.map((file) => file.signed),
});

/** The status of a version's upload. */
export async function status(client: Client, guid: string, version = '1.0'): Promise<Status> {
  return (await client.get(path(guid, version))).json as Status;
}

/**
 * Runs all jobs, and `change` while one of them signs: the signing job waits for the lock of the signature log.
 */
export async function changeDuringSigning(app: TestApp, change: () => Promise<unknown>): Promise<void> {
  const { pool } = await import('../../src/infra/db.ts');
  const session = await pool.connect();
  try {
    await session.query('BEGIN');
    await session.query('SELECT pg_advisory_xact_lock(7302001)');
    const signing = app.runJobs();
    await untilSessionsWait(app, '%pg_advisory_xact_lock%');
    await change();
    await session.query('COMMIT');
    await signing;
  } finally {
    session.release();
  }
}

/** Uploads a small package as a version. */
export async function upload(client: Client, guid: string, version = '1.0', form: Record<string, string> = {}) {
  return client.put(path(guid, version), { upload: await xpi({ guid, version }), ...form });
}

const METADATA = `mutation($input: UpdateAddonInput!) { updateAddon(input: $input) { __typename
  ... on UserError { code message } ... on UpdateAddonPayload { addon { id name { value(lang: "de") } categories { slug } } } } }`;

/** Adds the data that a listed version requires: a category, a summary and a licence. */
export async function completeListing(client: Client, guid: string): Promise<void> {
  const { addon, categories, licenses } = await client.graphql<{
    addon: { id: string };
    categories: { id: string }[];
    licenses: { id: string }[];
  }>(
    `query($ref: String!) { addon(by: { guid: $ref }) { id } licenses { id } categories(app: DESKTOP_BROWSER, type: EXTENSION) { id } }`,
    { ref: guid },
  );
  const { updateAddon } = await client.graphql<{ updateAddon: { __typename: string } }>(METADATA, {
    input: {
      id: addon.id,
      name: [{ locale: 'de', value: 'Neuer Name' }],
      summary: [{ locale: 'en-US', value: 'What it does.' }],
      categories: [categories[0]?.id],
      license: licenses[0]?.id,
    },
  });
  expect(updateAddon).toMatchObject({
    __typename: 'UpdateAddonPayload',
    addon: { name: { value: 'Neuer Name' }, categories: [{ slug: 'other' }] },
  });
}

const DECIDE = (mutation: 'approveVersion' | 'rejectVersion') =>
  `mutation($id: ID!) { ${mutation}(input: {id: $id, comments: "Looked at it."}) { __typename
     ... on UserError { code message } ... on ${mutation === 'approveVersion' ? 'Approve' : 'Reject'}VersionPayload { version { databaseId } } } }`;
/** Decisions of a reviewer about the version with `$id`. */
export const APPROVE = DECIDE('approveVersion');
export const REJECT = DECIDE('rejectVersion');

/** The global id of a version that passed validation. */
export async function versionId(client: Client, guid: string, version: string): Promise<string> {
  const { upload: found } = await client.graphql<{ upload: { versionId: string } }>(
    'query($guid: String!, $version: String!) { upload(by: { addonVersion: { guid: $guid, version: $version } }) { versionId } }',
    { guid, version },
  );
  return found.versionId;
}
