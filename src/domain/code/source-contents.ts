import { builder } from '../../graphql/builder.ts';
import { sourceFormat } from '../../package/source/source-format.ts';
import { VersionSourceType } from '../versions/version-source.ts';
import { CODE_COST, PackageContents } from './package-contents.ts';

builder.objectField(VersionSourceType, 'contents', (t) =>
  t.field({
    type: PackageContents,
    nullable: true,
    description: 'The files in the archive. An operation reads one.',
    extensions: { cost: CODE_COST },
    resolve: ({ sha256, name }) => {
      const format = sourceFormat(name);
      return format && { sha256, format };
    },
  }),
);
