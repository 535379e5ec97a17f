import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { forgetAddon } from '../addons/addon.ts';
import { addonPayload } from '../pictures/mutation-parts.ts';
import { reviewPersona } from './review-persona.ts';

const ReviewPersonaInput = builder.inputType('ReviewPersonaInput', {
  description: 'A decision about a persona.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    approve: t.boolean({ required: true, description: 'True approves the persona, false rejects it.' }),
    comments: t.string({ description: 'Plain text for the authors.' }),
    revision: t.string({
      description: 'Addon.revision of the reviewed state. When the persona has changed since, the decision is refused.',
    }),
  }),
});

builder.mutationField('reviewPersona', (t) =>
  t.field({
    type: addonPayload('reviewPersona'),
    description: 'Approves or rejects a persona that waits for review. Requires Personas:Review.',
    args: { input: t.arg({ type: ReviewPersonaInput, required: true, description: 'The decision.' }) },
    errors: mutationResult('ReviewPersonaResult'),
    resolve: async (_root, { input }, context) => {
      const addonId = idOf('Addon', input.id);
      const { approve, comments, revision } = input;
      await reviewPersona(context.viewer, addonId, { approve, comments: comments ?? '', revision: revision ?? null });
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);
