import { canReadSource } from '../../auth/review-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import type { ValidationResults } from '../../package/validation/validation-results.ts';
import { addonRights } from '../addons/find-addon.ts';
import { isValidated, type Stage } from '../addons/stages.ts';
import { versionFacts } from '../versions/find-version.ts';
import { Version } from '../versions/version.ts';
import { Validation } from './validation.ts';

const readResults = prepared<{ versionId: number; results: ValidationResults | null }>(
  lookupPool,
  'validations-of-versions',
  'SELECT version_id AS "versionId", validation AS results FROM upload WHERE version_id = ANY($1) ORDER BY id',
);

/** By version id, without access checks; null for imported versions. */
const resultsOf = perRequest<number, ValidationResults | null>(async (ids) => {
  const byVersion = new Map((await readResults(ids)).map(({ versionId, results }) => [versionId, results]));
  return ids.map((id) => byVersion.get(id) ?? null);
});

builder.objectField(Version, 'validation', (t) =>
  t.field({
    type: Validation,
    nullable: true,
    description:
      'Results of the validator for its package. Null until they are there, for imported versions, and for viewers who are neither authors of the add-on nor reviewers of its type and channel.',
    resolve: async ({ id, addonId }, _args, context) => {
      if (context.viewer.kind === 'anonymous') return null;
      const [addon, facts] = await Promise.all([addonRights(context).load(addonId), versionFacts(context).load(id)]);
      if (!isValidated(facts.stage as Stage) || !canReadSource(context.viewer, { ...facts, addon })) return null;
      return resultsOf(context).load(id);
    },
  }),
);
