import { enumOf } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';

/** What has become of what a report is about. */
export const ReportTargetStateEnum = enumOf('AbuseReportTargetState', 'The state of what an abuse report is about.', {
  available: 'An add-on that every visitor sees, or an account that can sign in.',
  not_public: 'An add-on that is not public: incomplete, waiting for review or rejected.',
  disabled_by_developers: 'An add-on that its developers have disabled.',
  disabled: 'Disabled by the operator.',
  deleted: 'Deleted.',
  unknown: 'An add-on that this service does not have.',
});

export type ReportTargetState = (typeof ReportTargetStateEnum)['$inferType'];

interface FoundState {
  id: number;
  state: ReportTargetState;
}

const readAddons = prepared<FoundState>(
  lookupPool,
  'reported-addon-states',
  `SELECT id, CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN status = 'disabled' THEN 'disabled'
     WHEN is_disabled_by_developer THEN 'disabled_by_developers' WHEN status = 'public' THEN 'available'
     ELSE 'not_public' END AS state
   FROM addon WHERE id = ANY ($1::int[])`,
);

const readAccounts = prepared<FoundState>(
  lookupPool,
  'reported-account-states',
  `SELECT id, CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN disabled_at IS NOT NULL THEN 'disabled'
     ELSE 'available' END AS state
   FROM account WHERE id = ANY ($1::int[])`,
);

const statesWith = (read: typeof readAddons) =>
  perRequest<number, ReportTargetState>(async (ids) => {
    const found = new Map((await read(ids)).map(({ id, state }) => [id, state]));
    return ids.map((id) => found.get(id) ?? 'deleted');
  });

const addonStates = statesWith(readAddons);
const accountStates = statesWith(readAccounts);

/** The state of the target of a report. */
export async function targetState(
  context: Context,
  { addonId, accountId }: { addonId: number | null; accountId: number | null },
): Promise<ReportTargetState> {
  if (accountId !== null) return accountStates(context).load(accountId);
  return addonId === null ? 'unknown' : addonStates(context).load(addonId);
}
