import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

const POLL_MS = 200;
const ATTEMPTS = 500;

/** Uploads a listed package that is not submitted, and waits until it is validated. Returns its id in addresses. */
export async function waitingUpload(origin: string, authorization: string, bytes: Buffer): Promise<string> {
  const body = new FormData();
  body.set('channel', 'listed');
  body.set('upload', new Blob([new Uint8Array(bytes)]), 'waiting.xpi');
  const uploads = `${origin}/api/v5/addons/upload/`;
  const headers = { authorization };
  const made = (await (await fetch(uploads, { method: 'POST', headers, body })).json()) as { uuid?: string };
  if (made.uuid === undefined) throw new Error(JSON.stringify(made));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const state = (await (await fetch(`${uploads}${made.uuid}/`, { headers })).json()) as { processed: boolean };
    if (state.processed) return made.uuid;
    await setTimeout(POLL_MS);
  }
  throw new Error('The upload was not validated.');
}

/** Uploads an unlisted version, as a program of its author, and waits until it is signed. */
export async function signVersion(
  origin: string,
  authorization: string,
  { guid, version = '1.0', bytes }: { guid: string; version?: string; bytes: Buffer },
): Promise<void> {
  const headers = { authorization };
  const body = new FormData();
  body.set('upload', new Blob([new Uint8Array(bytes)]), 'addon.xpi');
  const address = `${origin}/api/v4/addons/${encodeURIComponent(guid)}/versions/${version}/`;
  const made = await fetch(address, { method: 'PUT', headers, body });
  assert.ok(made.ok, await made.text());
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { files } = (await (await fetch(address, { headers })).json()) as { files: { signed: boolean }[] };
    if (files.some(({ signed }) => signed)) return;
    await setTimeout(POLL_MS);
  }
  throw new Error(`Version ${version} of ${guid} was not signed.`);
}
