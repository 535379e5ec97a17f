import type { ObjectFields } from '../../graphql/builder.ts';
import { Addon } from './addon.ts';

/** The payload field of mutations that change an add-on. */
export const changedAddon = <Payload extends { addonId: number }>(t: ObjectFields<Payload>) => ({
  addon: t.field({ type: Addon, description: 'The add-on after the change.', resolve: ({ addonId }) => addonId }),
});
