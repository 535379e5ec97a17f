/* The input fields of a version's metadata, which `updateVersion` and the submissions share. */
import { builder, type InputFields } from '../../graphql/builder.ts';
import { givenFields, type InputOf } from '../../graphql/mutation.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { inputFaultsField } from '../listing/addon-input.ts';
import type { LicenseChoice } from '../listing/choose-license.ts';
import { type DeclaredChanges, declaredChanges, declaredInputs } from '../listing/declared-inputs.ts';
import type { InputFaults } from '../listing/field-errors.ts';
import { licenseChangeIn, licenseInputFields } from '../listing/license-input.ts';
import type { StoredSource } from '../sources/receive-source.ts';
import type { WantedRange } from './check-compatibility.ts';
import { type VersionTable, versionFields } from './fields.ts';

export const ApplicationRangeInput = builder.inputType('ApplicationRangeInput', {
  description: 'The versions of one application that a version works with.',
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application.' }),
    min: t.string({
      description:
        'The oldest version, such as 57.0, not below that of the manifest. Default: the present one, else that of the manifest, else a default.',
    }),
    max: t.string({
      description:
        'The newest version, such as 60.0, 60.* or *, not above one of the manifest that clients enforce. Default: likewise.',
    }),
  }),
});

/** Input fields of a version and its licence. */
export const versionInputFields = (t: InputFields) => ({
  ...declaredInputs<VersionTable>(t, versionFields),
  compatibility: t.field({
    type: [ApplicationRangeInput],
    description: 'All applications that it works with, at least one. They replace the present ones.',
  }),
  source: t.field({
    type: 'UploadedFile',
    description: 'Source code for reviewers, an archive of at most 200 MB as for attachSource; null removes it.',
  }),
  ...licenseInputFields(t),
  inputFaults: inputFaultsField(t),
});

type VersionInput = InputOf<ReturnType<typeof versionInputFields>>;

/** Changes of `updateVersion`. Absent fields stay unchanged. Ids are database ids. */
export interface VersionChanges extends DeclaredChanges<VersionTable> {
  /** Replaces all existing ranges. */
  compatibility?: readonly WantedRange[];
  license?: LicenseChoice;
  /** Source code for reviewers; null removes it. */
  source?: StoredSource | null;
  /** On behalf of its developers. */
  isDisabled?: boolean;
  /** Refused with the invalid fields. */
  inputFaults?: InputFaults;
}

/**
 * The changes of an input with `versionInputFields`, without its source code, which `withSource` reads. Other fields are ignored.
 * @throws {InvalidInputError} on `license` for two licences, or for an id of another type.
 */
export function versionChangesIn(input: VersionInput): VersionChanges {
  return {
    ...declaredChanges<VersionTable>(versionFields, input),
    ...givenFields({ compatibility: input.compatibility, inputFaults: input.inputFaults as InputFaults | undefined }),
    ...licenseChangeIn(input),
  };
}
