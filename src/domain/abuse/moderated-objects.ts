/* What a text names for moderators, who look for reports and ratings by the names that pages show. */
import { canModerate } from '../../auth/operator-permissions.ts';
import { canSeeAddon, refuse, requirePermission } from '../../auth/permissions.ts';
import { canSeeHeldRatings } from '../../auth/rating-permissions.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { db } from '../../infra/db.ts';
import { AccountSummary, accountSummary, knownAccounts } from '../accounts/account-summary.ts';
import { Addon } from '../addons/addon.ts';
import { MAX_NAMED_ADDONS } from '../addons/named-addons.ts';
import { addonChoices } from '../ratings/moderated-addon.ts';
import { accountChoice, MAX_NAMED_ACCOUNTS } from './named-accounts.ts';
import { isAboutNamed } from './report-filter.ts';

type ChosenAddon = Awaited<ReturnType<ReturnType<typeof addonChoices>['load']>>;

/** Whether a text names an add-on for the viewer. One that was deleted, or never was here, is known by its reports. */
async function isKnownAddon(context: Context, { chosen, text }: ChosenAddon): Promise<boolean> {
  if (chosen !== null && (chosen.deletedAt === null || canSeeAddon(context.viewer, chosen))) return true;
  if (!canModerate(context.viewer) || text === '') return false;
  const condition = await isAboutNamed(context, text);
  const [row] = await db.$queryRaw<
    { isKnown: boolean }[]
  >`SELECT EXISTS (SELECT FROM abuse_report r WHERE ${condition}) AS "isKnown"`;
  return row?.isKnown === true;
}

const visibleAddons = async (context: Context, ids: readonly number[]) =>
  (await Promise.all(ids.map((id) => Addon.loadOrNull(context, id)))).filter((addon) => addon !== null);

const ModeratedAddon = builder.objectRef<ChosenAddon>('ModeratedAddon').implement({
  description: 'The add-on that a text names for moderators.',
  fields: (t) => ({
    isKnown: t.boolean({
      description:
        'Whether it names one add-on, also one that the viewer may not see, or that reports alone are about.',
      resolve: (choice, _args, context) => isKnownAddon(context, choice),
    }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on; null if the viewer may not see it, and if the text names none or several.',
      resolve: ({ chosen }, _args, context) => (chosen === null ? null : Addon.loadOrNull(context, chosen.id)),
    }),
    options: t.field({
      type: [Addon],
      description: 'Several with this name.',
      extensions: { items: MAX_NAMED_ADDONS },
      resolve: ({ options }, _args, context) => visibleAddons(context, options),
    }),
    similar: t.field({
      type: [Addon],
      description: 'Public add-ons with a similar name, if it names nothing.',
      extensions: { items: MAX_NAMED_ADDONS },
      resolve: ({ similar }, _args, context) => visibleAddons(context, similar),
    }),
  }),
});

const ReportPartEnum = enumOf('AbuseReportPart', 'The part that an account has in reports.', {
  reported: 'It is reported, or its collection, rating or reply is.',
  reporter: 'It has sent reports, which show it to the viewer.',
});

type ChosenAccount = Awaited<ReturnType<typeof accountChoice>>;

const ModeratedAccount = builder.objectRef<ChosenAccount>('ModeratedAccount').implement({
  description: 'The account that a text names for moderators, among those in reports.',
  fields: (t) => ({
    account: t.field({
      type: AccountSummary,
      nullable: true,
      description: 'The account; null if the text names none or several.',
      resolve: ({ chosen }, _args, context) => (chosen === null ? null : accountSummary(context, chosen)),
    }),
    options: t.field({
      type: [AccountSummary],
      description: 'Several with this name.',
      extensions: { items: MAX_NAMED_ACCOUNTS },
      resolve: ({ options }, _args, context) => knownAccounts(context, options),
    }),
    similar: t.field({
      type: [AccountSummary],
      description: 'Those with a username or name that begins with the text, if it names none.',
      extensions: { items: MAX_NAMED_ACCOUNTS },
      resolve: ({ similar }, _args, context) => knownAccounts(context, similar),
    }),
  }),
});

builder.queryFields((t) => ({
  moderatedAddon: t.field({
    type: ModeratedAddon,
    description:
      'What the condition `addonNamed` of lists for moderators selects. For holders of AbuseReports:Edit or Addons:Edit.',
    args: {
      text: t.arg.string({
        required: true,
        description: 'Slug, guid, number or displayed name of an add-on, in any case.',
      }),
    },
    resolve: async (_root, { text }, context) => {
      if (!canSeeHeldRatings(context.viewer)) throw refuse(context.viewer);
      return addonChoices(context).load(text);
    },
  }),
  moderatedAccount: t.field({
    type: ModeratedAccount,
    description:
      'What the conditions `accountNamed` and `reporterNamed` of abuseReports select. Requires AbuseReports:Edit.',
    args: {
      text: t.arg.string({
        required: true,
        description:
          'Username, number or displayed name of an account, in any case; for holders of Users:Edit also its e-mail address.',
      }),
      part: t.arg({ type: ReportPartEnum, required: true, description: 'The part of the account in reports.' }),
    },
    resolve: (_root, { text, part }, context) => {
      requirePermission(context.viewer, 'AbuseReports:Edit');
      return accountChoice(context, part, text);
    },
  }),
}));
