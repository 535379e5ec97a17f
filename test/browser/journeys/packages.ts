/* What journeys of developers do with packages, and what other programs and people do for them. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { PAGES_EN as en } from '../../../src/texts/pages.en.ts';
import { xpi } from '../../support/packages.ts';
import type { Account } from '../accounts.ts';
import { sendGraphql } from '../graphql.ts';
import { signVersion } from '../uploads.ts';
import type { Traveller } from './journey.ts';

const FILE = { name: 'addon.xpi', mimeType: 'application/x-xpinstall' };

/** Chooses channel and package in a form: by its file field, or dropped onto its label with the mouse. */
export async function choosePackage(
  form: Locator,
  { channel, bytes, isDropped = false }: { channel: 'LISTED' | 'UNLISTED'; bytes: Buffer; isDropped?: boolean },
): Promise<void> {
  await form.locator(`[name=channel][value=${channel}]`).check();
  if (isDropped) await drop(form.locator('.file-drop'), bytes);
  else await form.locator('[name=file]').setInputFiles({ ...FILE, buffer: bytes });
}

async function drop(target: Locator, bytes: Buffer): Promise<void> {
  const file = { ...FILE, base64: bytes.toString('base64') };
  await target.evaluate((element, { name, mimeType, base64 }) => {
    const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], name, { type: mimeType }));
    for (const type of ['dragenter', 'dragover', 'drop'])
      element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  }, file);
}

/** Sends a form with a package, and waits for the page of its report. Returns the identifier of the upload. */
export async function sendPackage(page: Page, form: Locator): Promise<string> {
  await form.locator('button[type=submit]').click();
  await page.waitForURL(/\/validation\//);
  return uploadOf(page);
}

/** The identifier of the upload whose report a page shows. */
export const uploadOf = (page: Page): string => new URL(page.url()).pathname.split('/')[2] ?? '';

/** How long an upload may take to its next stage, in milliseconds. */
const STAGE_MS = 200_000;

/** Waits until the report of an upload, which follows it without its reader, shows a stage. */
export async function reaches(page: Page, stage: 'INVALID' | 'VALID' | 'AWAITING_REVIEW' | 'SIGNED'): Promise<void> {
  const title = page.locator('#progress .notice-title', {
    hasText: new RegExp(`^${en[`validation.stage.${stage}`]}$`),
  });
  await title.first().waitFor({ timeout: STAGE_MS });
}

/** Makes an add-on with a signed unlisted version 1.0, as a program of its author. Returns the path of its overview in the hub. */
export async function makeAddon({ setting, suffix }: Traveller, author: Account, name: string): Promise<string> {
  const guid = `${name}-${suffix}-${author.username}@example.org`;
  const bytes = await xpi({ guid, name: `${name} ${suffix}` });
  await signVersion(setting.service.url, author.authorization, { guid, bytes });
  return `/developers/addon/${encodeURIComponent(guid)}/`;
}

const VERSION = 'query ($id: ID!) { upload(by: { id: $id }) { versionId } }';
const APPROVAL = 'mutation ($input: ApproveVersionInput!) { approveVersion(input: $input) { __typename } }';

/** Approves the version of an upload, as a reviewer who uses another program. */
export async function approve({ account, setting }: Traveller, author: Account, pk: string): Promise<void> {
  const { url } = setting.service;
  const id = Buffer.from(`Upload:${pk}`).toString('base64');
  const found = await sendGraphql<{ upload: { versionId: string } }>(url, author.authorization, VERSION, { id });
  const { authorization } = await account('reviewer');
  const input = { id: found.upload.versionId, comments: 'It does what it says.' };
  const result = await sendGraphql<{ approveVersion: object }>(url, authorization, APPROVAL, { input });
  assert.deepEqual(result.approveVersion, { __typename: 'ApproveVersionPayload' });
}
