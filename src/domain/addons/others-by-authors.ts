import { IS_SEARCHABLE } from '../../auth/public-addon.ts';
import { builder } from '../../graphql/builder.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { Batcher } from '../../infra/batcher.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { Addon } from './addon.ts';
import type { AddonDocument } from './addon-document.ts';
import { type DocumentKey, KEY_COLUMNS, KEY_JOIN, loadPublic } from './load-documents.ts';

/** Maximum number of add-ons in the list. */
const MAX_OTHERS = 4;

/** The add-ons that searches by the listed authors of an add-on find, without itself. */
const readOthers = prepared<DocumentKey & { of: number }>(
  lookupPool,
  'others-by-authors',
  `SELECT wanted.id AS of, found.* FROM unnest($1::int[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT ${KEY_COLUMNS} FROM addon a ${KEY_JOIN}
      WHERE a.id <> wanted.id AND ${IS_SEARCHABLE}
        AND a.id IN (
          SELECT other.addon_id FROM addon_author own JOIN addon_author other USING (account_id)
          WHERE own.addon_id = wanted.id AND own.listed AND other.listed
        ) ORDER BY a.average_daily_users DESC, a.id LIMIT ${MAX_OTHERS}
    ) found`,
);

const keysOfOthers = new Batcher<number, DocumentKey[]>(async (ids) => {
  const byAddon = Map.groupBy(await readOthers(ids), ({ of }) => of);
  return ids.map((id) => byAddon.get(id) ?? []);
});

const othersByAuthors = perRequest<number, AddonDocument[]>((ids) =>
  Promise.all(ids.map(async (id) => loadPublic(await keysOfOthers.load(id)))),
);

builder.objectField(Addon, 'othersByAuthors', (t) =>
  t.field({
    type: [Addon],
    description: 'At most four other public add-ons of its listed authors, those with most users first.',
    resolve: ({ id }, _args, context) => othersByAuthors(context).load(id),
  }),
);
