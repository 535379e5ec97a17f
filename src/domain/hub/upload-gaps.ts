import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { Addon } from '../addons/addon.ts';
import { localizedFromPackage, packageLocale } from '../listing/package-texts.ts';
import { type MissingMetadata, missingMetadata } from '../submission/listed-metadata.ts';
import type { UploadState } from '../uploads/load-upload.ts';
import { targetOfUpload, Upload } from '../uploads/upload.ts';
import { ListingGapCode } from './visibility.ts';

/** What a listed version needs and neither the package nor the add-on has; nothing for other uploads. */
async function gapsOfUpload(context: Context, upload: UploadState): Promise<MissingMetadata[]> {
  const { manifestTexts: texts, manifestLocale, version } = upload;
  if (texts === null || version.channel !== 'listed') return [];
  const id = await targetOfUpload(context, upload);
  const addon = id === null ? null : await Addon.loadOrNull(context, id);
  if (addon !== null) {
    const { defaultLocale, name, summary, categories, licenseId } = addon;
    return missingMetadata({
      ...{ defaultLocale, name, summary, categoryCount: categories.length, hasLicense: licenseId !== null },
    });
  }
  const manifest = { defaultLocale: manifestLocale };
  const defaultLocale = packageLocale(manifest);
  const [name, summary] = [texts.name, texts.summary].map((text) => localizedFromPackage(text, manifest));
  // An add-on without a name gets its id as one.
  const named = Object.keys(name ?? {}).length > 0 ? name : { [defaultLocale]: '' };
  return missingMetadata({
    ...{ defaultLocale, name: named ?? null, summary: summary ?? null, categoryCount: 0, hasLicense: false },
  });
}

builder.objectField(Upload, 'listingGaps', (t) =>
  t.field({
    type: [ListingGapCode],
    description:
      'What must come with its submission, as listed versions need it and neither the package nor the add-on has it; empty for unlisted and submitted ones.',
    resolve: (upload, _args, context) => gapsOfUpload(context, upload),
  }),
);
