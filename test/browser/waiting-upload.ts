import { setTimeout } from 'node:timers/promises';

const POLL_MS = 500;
const ATTEMPTS = 60;

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
