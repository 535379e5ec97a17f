import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import type { CustomLicense } from './choose-license.ts';

export const CustomLicenseInput = builder.inputType('CustomLicenseInput', {
  description: 'A licence in the developer’s own words.',
  fields: (t) => ({
    name: t.field({ type: [TranslationInput] }),
    text: t.field({ type: [TranslationInput], required: true, description: 'May hold HTML.' }),
    url: t.string(),
  }),
});

export function customLicenseOf({ name, text, url }: typeof CustomLicenseInput.$inferInput): CustomLicense {
  return { name: name ?? [], text, url: url?.trim() || null };
}

/** @throws {InvalidInputError} for what is no id of a licence. */
export function licenseIdOf(id: string | number): number {
  return idOf('License', id, 'license');
}
