import { builder } from '../../graphql/builder.ts';
import { Addon } from '../addons/addon.ts';

/** The payload of a change to an add-on. */
export const addonPayload = (name: string) =>
  builder.objectRef<{ addonId: number }>(name).implement({
    fields: (t) => ({ addon: t.field({ type: Addon, resolve: ({ addonId }) => addonId }) }),
  });

/** A file that is never awaited must not end the process when its stream breaks. */
export function guarded<File extends Promise<unknown>>(file: File): File {
  file.catch(() => {});
  return file;
}
