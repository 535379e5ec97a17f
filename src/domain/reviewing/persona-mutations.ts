import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { forgetAddon } from '../addons/addon.ts';
import { addonPayload } from '../pictures/mutation-parts.ts';
import { reviewPersona } from './review-persona.ts';

const ReviewPersonaInput = builder.inputType('ReviewPersonaInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the add-on.' }),
    approve: t.boolean({ required: true, description: 'False rejects it.' }),
    comments: t.string(),
    revision: t.string({
      description: 'The revision of the add-on that was looked at: when it is another one by now, nothing is decided.',
    }),
  }),
});

builder.mutationField('reviewPersona', (t) =>
  t.field({
    type: addonPayload('ReviewPersonaPayload'),
    description: 'Decides about a persona that waits for a reviewer; for holders of Personas:Review.',
    args: { input: t.arg({ type: ReviewPersonaInput, required: true }) },
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
