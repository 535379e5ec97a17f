import { builder } from '../../graphql/builder.ts';
import { Addon } from '../addons/addon.ts';

/** The payload of the mutation `<name>`, which changes an add-on. */
export const addonPayload = (name: string) =>
  builder.objectRef<{ addonId: number }>(`${name[0]?.toUpperCase()}${name.slice(1)}Payload`).implement({
    description: `Result of ${name}.`,
    fields: (t) => ({
      addon: t.field({
        type: Addon,
        description: 'The add-on after the change.',
        resolve: ({ addonId }) => addonId,
      }),
    }),
  });

/** A file whose stream may fail before it is awaited: an unhandled rejection would end the process. */
export function guarded<File extends Promise<unknown>>(file: File): File {
  file.catch(() => {});
  return file;
}
