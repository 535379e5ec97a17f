/* The values of a version that an edit expects. */
import { builder } from '../../graphql/builder.ts';
import type { Transaction } from '../../infra/db.ts';
import { expectedInputs, presentValues } from '../listing/declared-inputs.ts';
import { expectedLicense } from '../listing/expected-listing.ts';
import { checkExpected, type ExpectedValues } from '../listing/expected-values.ts';
import type { FieldErrors } from '../listing/field-errors.ts';
import { versionFields } from './fields.ts';
import { ApplicationRangeInput, type VersionChanges } from './version-input.ts';

export const ExpectedVersionInput = builder.inputType('ExpectedVersionInput', {
  description: 'Values of a version as a client read them. Null is no value; absent fields are not compared.',
  fields: (t) => ({
    ...expectedInputs(t, 'Version', versionFields),
    compatibility: t.field({
      type: [ApplicationRangeInput],
      description: 'Version.compatibility: all ranges with both ends, in any order.',
    }),
    isDisabled: t.boolean({ description: 'Version.isDisabled.' }),
    license: t.id({ description: 'Global id of the licence.' }),
  }),
});

/** The values of an input. @throws {InvalidInputError} on `expected` for an id of another type. */
export const expectedVersionIn = (
  input: typeof ExpectedVersionInput.$inferInput | null | undefined,
): ExpectedValues => {
  const { compatibility, ...others } = expectedLicense(input ?? {});
  return compatibility === undefined ? others : { ...others, compatibility: (compatibility ?? []).map(rangeText) };
};

const rangeText = ({ app, min, max }: { app: string; min?: string | null; max?: string | null }): string =>
  `${app} ${min} ${max}`;

/** Adds a fault for each field of the version that others have changed. None for an unknown version, which the change refuses. */
export async function checkExpectedVersion(
  tx: Transaction,
  id: number,
  { expected, changes }: { expected: ExpectedValues; changes: VersionChanges },
  faults: FieldErrors,
): Promise<void> {
  if (Object.keys(expected).length === 0) return;
  const version = await tx.version.findUnique({
    where: { id },
    include: {
      compatibility: { select: { app: true, min: true, max: true } },
      files: { select: { statusWhenEnabled: true } },
    },
  });
  if (version === null) return;
  const present = {
    ...presentValues(version, versionFields),
    license: version.licenseId,
    compatibility: version.compatibility.map(rangeText),
    isDisabled: version.files.some(({ statusWhenEnabled }) => statusWhenEnabled !== null),
  };
  const wanted = { ...changes, compatibility: changes.compatibility?.map(rangeText) };
  checkExpected({ expected, present, wanted }, faults);
}
