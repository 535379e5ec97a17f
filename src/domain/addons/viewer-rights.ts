import { type AddonRight, rightsTo } from '../../auth/addon-rights.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { Addon } from './addon.ts';
import { addonRights } from './find-addon.ts';

const AddonRightEnum = enumOf<AddonRight>('AddonRight', 'Something that a viewer may do with an add-on.', {
  edit: 'Edit its listing, icon and previews.',
  release: 'Edit its versions and their source code, and the pictures of a persona. Only authors.',
  own: 'Invite and edit its authors, and edit licence, EULA and privacy policy. Only owners.',
  delete: 'Delete it.',
  upload: 'Upload versions of it.',
  disable: 'Disable and enable it as its developers.',
  administer: 'Disable and enable it as the operator, and restore it when deleted.',
  inspect: 'See its listed versions that are not public.',
  inspect_unlisted: 'See its unlisted versions.',
  review: 'Decide about its listed versions that wait for review.',
  review_unlisted: 'Decide about its unlisted versions that wait for review.',
  see_statistics: 'See its daily statistics.',
  rate: 'Rate its public versions, unless the account shares a way to sign in with an author.',
  reply_to_ratings: 'Reply to its ratings.',
});

builder.objectField(Addon, 'viewerRights', (t) =>
  t.field({
    type: [AddonRightEnum],
    description: 'What the viewer may do with the add-on, for front ends that offer only that.',
    resolve: async ({ id, publicStats }, _args, context) =>
      rightsTo(context.viewer, { ...(await addonRights(context).load(id)), publicStats }),
  }),
);
