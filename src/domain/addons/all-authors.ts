import { canSeeAllAuthors } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { isPublicAccount } from '../accounts/public-account.ts';
import { Addon } from './addon.ts';
import type { AuthorDocument } from './addon-document.ts';
import { AddonAuthor } from './author.ts';
import { addonRights } from './find-addon.ts';

const readAuthors = prepared<AuthorDocument>(
  lookupPool,
  'all-authors',
  `SELECT w.addon_id AS "addonId", p.id, p.username, p.display_name AS "displayName",
      p.has_chosen_username AS "hasChosenUsername", CASE WHEN p.disabled_at IS NULL THEN p.picture_sha256 END AS "pictureSha256", w.role, w.position, w.listed,
      ${isPublicAccount('p.id')} AS "isPublic"
    FROM addon_author w JOIN account p ON p.id = w.account_id
    WHERE w.addon_id = ANY($1) ORDER BY w.position, p.id`,
);

/** All authors by add-on id, unlisted ones included: documents contain the listed ones only. */
export const allAuthors = perRequest<number, AuthorDocument[]>(async (ids) => {
  const rows = await readAuthors(ids);
  return ids.map((id) => rows.filter(({ addonId }) => addonId === id));
});

builder.objectField(Addon, 'allAuthors', (t) =>
  t.field({
    type: [AddonAuthor],
    nullable: true,
    description:
      'All authors, unlisted ones included, by position. Null unless the viewer is an author or holds Addons:Edit.',
    resolve: async ({ id }, _args, context) => {
      if (context.viewer.kind === 'anonymous') return null;
      const { authors } = await addonRights(context).load(id);
      return canSeeAllAuthors(context.viewer, authors) ? allAuthors(context).load(id) : null;
    },
  }),
);
