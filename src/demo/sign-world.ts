import { setTimeout as sleep } from 'node:timers/promises';
import { addonsToSign, queueImportedSigning } from '../domain/signing/sign-imported.ts';
import { openLineFile } from '../domain/transfer/line-file.ts';

const LOOK_MS = 500;

/** Lets the worker sign the imported packages of a file of lines, and waits until it has. @throws when `stopping` is aborted. */
export async function signWorld(file: string, stopping: AbortSignal): Promise<void> {
  const guids = await guidsIn(file);
  await queueImportedSigning(await addonsToSign(guids));
  while ((await addonsToSign(guids)).length > 0) await sleep(LOOK_MS, undefined, { signal: stopping });
}

/** The guids of the add-ons in a file of lines. */
async function guidsIn(file: string): Promise<string[]> {
  const guids: string[] = [];
  for await (const line of (await openLineFile(file)).lines) {
    const { kind, guid } = JSON.parse(String(line)) as { kind: string; guid?: string };
    if (kind === 'addon' && guid !== undefined) guids.push(guid);
  }
  return guids;
}
