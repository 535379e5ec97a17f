import { builder } from '../../graphql/builder.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { STAGES, type Stage } from '../addons/stages.ts';
import { Upload, UploadStage } from './upload.ts';

interface StageTime {
  stage: Stage;
  reached: Date;
}

/** The stages that the activity log has of versions, by version id, in their order. */
const loggedStages = perRequest<number, readonly StageTime[]>(async (ids) => {
  const rows = await db.$queryRaw<(StageTime & { id: number })[]>`
    SELECT version_id AS id, details->>'stage' AS stage, created AS reached FROM activity
    WHERE version_id = ANY(${ids}::int[]) AND details->>'stage' = ANY(${STAGES}::text[]) ORDER BY activity.id`;
  const byVersion = Map.groupBy(rows, ({ id }) => id);
  return ids.map((id) => byVersion.get(id) ?? []);
});

const UploadStageTime = builder.objectRef<StageTime>('UploadStageTime').implement({
  description: 'A stage that an upload has reached.',
  fields: (t) => ({
    stage: t.expose('stage', { type: UploadStage, description: 'The stage.' }),
    reached: t.expose('reached', { type: 'DateTime', description: 'When the upload reached it.' }),
  }),
});

builder.objectField(Upload, 'history', (t) =>
  t.field({
    type: [UploadStageTime],
    description: 'The stages that the upload has reached, in their order; the last one is the current stage.',
    resolve: async ({ created, updated, version: { id, stage } }, _args, context) => {
      const received: StageTime = { stage: 'received', reached: created };
      const logged = id === null ? [] : await loggedStages(context).load(id);
      // An event may show an earlier stage than the log has.
      const end = logged.findLastIndex((each) => each.stage === stage);
      if (end !== -1) return [received, ...logged.slice(0, end + 1)];
      return stage === 'received' ? [received] : [received, { stage, reached: updated }];
    },
  }),
);
