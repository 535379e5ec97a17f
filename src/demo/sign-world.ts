import { setTimeout as sleep } from 'node:timers/promises';
import { addonsToSign, queueImportedSigning } from '../domain/signing/sign-imported.ts';
import { worldAddons } from './world/world.ts';

const LOOK_MS = 500;

/** Lets the worker sign the imported packages, and waits until it has. @throws when `stopping` is aborted. */
export async function signWorld(stopping: AbortSignal): Promise<void> {
  const { shown, unusual } = worldAddons(new Date());
  const guids = [...shown, ...unusual].map(({ line }) => line.guid);
  await queueImportedSigning(await addonsToSign(guids));
  while ((await addonsToSign(guids)).length > 0) await sleep(LOOK_MS, undefined, { signal: stopping });
}
