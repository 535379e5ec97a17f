import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { SecondChanceCache } from '../../infra/second-chance-cache.ts';
import { sourceFormat } from '../../package/source/source-format.ts';
import { addonRights } from '../addons/find-addon.ts';
import { recordSourceRead } from '../versions/source-download.ts';
import { type VersionSource, VersionSourceType } from '../versions/version-source.ts';
import { CODE_COST, PackageContents } from './package-contents.ts';

/** Reads of a reviewer that follow an entry of the audit log within this time belong to it. */
const READING_MS = 3_600_000;

/** When an account last got an entry for an archive, by both. */
const recorded = new SecondChanceCache<string, number>(10_000);

/** @throws as `recordSourceRead` does. */
async function recordReading(context: Context, { addonId, versionId, sha256 }: VersionSource): Promise<void> {
  const { viewer } = context;
  const key = JSON.stringify([viewer.kind === 'anonymous' ? null : viewer.accountId, versionId, sha256]);
  if (Date.now() - (recorded.get(key) ?? 0) < READING_MS) return;
  await recordSourceRead(context, await addonRights(context).load(addonId), { versionId, sha256 });
  recorded.set(key, Date.now(), 1);
}

builder.objectField(VersionSourceType, 'contents', (t) =>
  t.field({
    type: PackageContents,
    nullable: true,
    description:
      'The files in the archive. An operation reads one. Reads by reviewers are in the audit log: those of an hour are one entry.',
    extensions: { cost: CODE_COST },
    resolve: async (source, _args, context) => {
      const format = sourceFormat(source.name);
      if (format === null) return null;
      await recordReading(context, source);
      return { sha256: source.sha256, format };
    },
  }),
);
