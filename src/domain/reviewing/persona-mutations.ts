import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { forgetAddon } from '../addons/addon.ts';
import { changedAddon } from '../addons/changed-addon.ts';
import { reviewPersona } from './review-persona.ts';

mutation('reviewPersona', {
  description: 'Approves or rejects a persona that waits for review. Requires Personas:Review.',
  input: 'A decision about a persona.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    approve: t.boolean({ required: true, description: 'True approves the persona, false rejects it.' }),
    comments: t.string({ description: 'Plain text for the authors.' }),
    revision: t.string({
      description: 'Addon.revision of the reviewed state. When the persona has changed since, the decision is refused.',
    }),
  }),
  resolve: async ({ id, approve, comments, revision }, context) => {
    const addonId = idOf('Addon', id);
    await reviewPersona(context.viewer, addonId, { approve, comments: comments ?? '', revision: revision ?? null });
    forgetAddon(context, addonId);
    return { addonId };
  },
  payloadFields: changedAddon,
});
