import { type AddonRight, rightsTo } from '../../auth/addon-rights.ts';
import { builder } from '../../graphql/builder.ts';
import { Addon } from './addon.ts';
import { addonRights } from './find-addon.ts';

const AddonRightEnum = builder.enumType('AddonRight', {
  description: 'Something that a viewer may do with an add-on.',
  values: {
    EDIT: { value: 'edit', description: 'Edit its listing, icon and previews.' },
    RELEASE: {
      value: 'release',
      description: 'Edit its versions and their source code, and the pictures of a persona. Only authors.',
    },
    OWN: {
      value: 'own',
      description: 'Invite and edit its authors, and edit licence, EULA and privacy policy. Only owners.',
    },
    DELETE: { value: 'delete', description: 'Delete it.' },
    UPLOAD: { value: 'upload', description: 'Upload versions of it.' },
    DISABLE: { value: 'disable', description: 'Disable and enable it as its developers.' },
    ADMINISTER: {
      value: 'administer',
      description: 'Disable and enable it as the operator, and restore it when deleted.',
    },
    INSPECT: { value: 'inspect', description: 'See its listed versions that are not public.' },
    INSPECT_UNLISTED: { value: 'inspect_unlisted', description: 'See its unlisted versions.' },
    REVIEW: { value: 'review', description: 'Decide about its listed versions that wait for review.' },
    REVIEW_UNLISTED: {
      value: 'review_unlisted',
      description: 'Decide about its unlisted versions that wait for review.',
    },
    SEE_STATISTICS: { value: 'see_statistics', description: 'See its daily statistics.' },
  } as const satisfies { [Value in AddonRight as Uppercase<Value>]: { value: Value; description: string } },
});

builder.objectField(Addon, 'viewerRights', (t) =>
  t.field({
    type: [AddonRightEnum],
    description: 'What the viewer may do with the add-on, for front ends that offer only that.',
    resolve: async ({ id, publicStats }, _args, context) =>
      rightsTo(context.viewer, { ...(await addonRights(context).load(id)), publicStats }),
  }),
);
