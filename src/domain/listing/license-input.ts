import { refusedField } from '../../errors.ts';
import { builder, type InputFields } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { message } from '../../texts/messages.ts';
import { TranslationInput } from '../addons/localized.ts';
import type { LicenseChoice } from './choose-license.ts';

const CustomLicenseInput = builder.inputType('CustomLicenseInput', {
  description: 'A licence whose text the developers write.',
  fields: (t) => ({
    name: t.field({
      type: [TranslationInput],
      description: 'The displayed name, at most 200 characters. Default: Custom License.',
    }),
    text: t.field({ type: [TranslationInput], required: true, description: 'The terms; may contain HTML.' }),
    url: t.string({ description: 'Address of the terms, at most 255 characters.' }),
  }),
});

/** Input fields of a licence. */
export const licenseInputFields = (t: InputFields) => ({
  license: t.id({
    description: 'Global id of the licence. Only owners may change it.',
  }),
  customLicense: t.field({
    type: CustomLicenseInput,
    description: 'A custom licence, instead of license. Only owners may change it.',
  }),
  builtinLicense: t.string({
    description: 'SPDX identifier of a built-in licence in any case, instead of license. Only owners may change it.',
  }),
});

interface LicenseInput {
  license?: string | null;
  customLicense?: typeof CustomLicenseInput.$inferInput | null;
  builtinLicense?: string | null;
}

/**
 * Returns the licence of an input, as a database id, slug or custom texts; undefined if the input has none.
 * @throws {InvalidInputError} on `license` if several are present, or for an id of another type.
 */
function licenseIn({ license, customLicense, builtinLicense }: LicenseInput): LicenseChoice | undefined {
  if ([license, customLicense, builtinLicense].filter((each) => each != null).length > 1) {
    throw refusedField('license', message('license.two_choices'));
  }
  if (builtinLicense != null) return { slug: builtinLicense };
  if (customLicense == null) return license == null ? undefined : idOf('License', license, 'license');
  const { name, text, url } = customLicense;
  return { name: name ?? [], text, url: url?.trim() || null };
}

/** The change of an input with `licenseInputFields`; no key without a licence. @throws as `licenseIn` does. */
export function licenseChangeIn(input: LicenseInput): { license?: LicenseChoice } {
  const license = licenseIn(input);
  return license === undefined ? {} : { license };
}
