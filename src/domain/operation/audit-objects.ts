/* What entries of the audit log are about: the objects whose ids are in their details, for viewers who may see them. */
import { builder } from '../../graphql/builder.ts';
import { AccountSummary, knownAccounts } from '../accounts/account-summary.ts';
import { AuditEntry } from '../activity/audit-log.ts';
import { Addon } from '../addons/addon.ts';
import { Version } from '../versions/version.ts';
import { ACCOUNT_KEYS } from './audit-subjects.ts';

/** Details of an entry; those of jobs have ids in their payload. */
function idsIn(details: unknown): Record<string, unknown> {
  const known = (details ?? {}) as { payload?: object };
  return { ...known.payload, ...known };
}

function idIn(details: unknown, key: string): number | null {
  const id = idsIn(details)[key];
  return Number.isSafeInteger(id) && Number(id) > 0 && Number(id) < 2 ** 31 ? Number(id) : null;
}

builder.objectField(AuditEntry, 'version', (t) =>
  t.field({
    type: Version,
    nullable: true,
    description: 'The version that the change was about; null without one, and for viewers who may not see it.',
    resolve: ({ details }, _args, context) => {
      const id = idIn(details, 'versionId');
      return Version.loadOrNull(context, id);
    },
  }),
);

builder.objectField(AuditEntry, 'addon', (t) =>
  t.field({
    type: Addon,
    nullable: true,
    description: 'The add-on that the change was about; null without one, and for viewers who may not see it.',
    resolve: ({ details }, _args, context) => {
      const id = idIn(details, 'addonId');
      return Addon.loadOrNull(context, id);
    },
  }),
);

builder.objectField(AuditEntry, 'accounts', (t) =>
  t.field({
    type: [AccountSummary],
    description: 'The accounts that the change was about, deleted ones included.',
    resolve: ({ details }, _args, context) =>
      knownAccounts(
        context,
        ACCOUNT_KEYS.flatMap((key) => idIn(details, key) ?? []),
      ),
  }),
);
