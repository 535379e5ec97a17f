import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';

/** The place of versions in the review queue of their type and channel, from 1; null for those that do not wait. */
export const queuePlaces = perRequest<number, number | null>(async (versionIds) => {
  const rows = await db.$queryRaw<{ id: number; place: number }[]>`
    SELECT id, place FROM (
      SELECT q.version_id AS id, row_number() OVER (PARTITION BY q.type, q.channel ORDER BY q.waiting_since, q.version_id)::int AS place
      FROM review_queue q WHERE NOT EXISTS (SELECT FROM addon a WHERE a.id = q.addon_id AND a.deleted_at IS NOT NULL)
    ) ranked WHERE id = ANY(${[...versionIds]}::int[])`;
  const places = new Map(rows.map(({ id, place }) => [id, place]));
  return versionIds.map((id) => places.get(id) ?? null);
});
