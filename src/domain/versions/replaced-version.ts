/* The values of a version that an edit replaces. */
import { builder } from '../../graphql/builder.ts';
import type { Transaction } from '../../infra/db.ts';
import type { Faults } from '../listing/faults.ts';
import { replacedLicense } from '../listing/replaced-listing.ts';
import { checkReplaced, type ReplacedValues } from '../listing/replaced-values.ts';
import type { VersionChanges } from './update-version.ts';
import { ApplicationRangeInput } from './version-input.ts';

export const VersionValuesInput = builder.inputType('VersionValuesInput', {
  description: 'Values of a version as a client read them. Null is no value; absent fields are not compared.',
  fields: (t) => ({
    approvalNotes: t.string({ description: 'Version.approvalNotes.' }),
    compatibility: t.field({
      type: [ApplicationRangeInput],
      description: 'Version.compatibility: all ranges with both ends, in any order.',
    }),
    isDisabled: t.boolean({ description: 'Version.isDisabled.' }),
    isStrictCompatibilityEnabled: t.boolean({ description: 'Version.isStrictCompatibilityEnabled.' }),
    license: t.id({ description: 'Global id of the licence.' }),
  }),
});

/** The values of an input. @throws {InvalidInputError} on `replaces` for an id of another type. */
export const replacedVersionIn = (input: typeof VersionValuesInput.$inferInput | null | undefined): ReplacedValues => {
  const { compatibility, ...others } = replacedLicense(input ?? {});
  return compatibility === undefined ? others : { ...others, compatibility: (compatibility ?? []).map(rangeText) };
};

const rangeText = ({ app, min, max }: { app: string; min?: string | null; max?: string | null }): string =>
  `${app} ${min} ${max}`;

/** Adds a fault for each field of the version that others have changed. None for an unknown version, which the change refuses. */
export async function checkReplacedVersion(
  tx: Transaction,
  id: number,
  { replaced, changes }: { replaced: ReplacedValues; changes: VersionChanges },
  faults: Faults,
): Promise<void> {
  if (Object.keys(replaced).length === 0) return;
  const version = await tx.version.findUnique({
    where: { id },
    select: {
      approvalNotes: true,
      isStrictCompatibilityEnabled: true,
      licenseId: true,
      compatibility: { select: { app: true, min: true, max: true } },
      files: { select: { statusWhenEnabled: true } },
    },
  });
  if (version === null) return;
  const present = {
    ...version,
    license: version.licenseId,
    compatibility: version.compatibility.map(rangeText),
    isDisabled: version.files.some(({ statusWhenEnabled }) => statusWhenEnabled !== null),
  };
  const wanted = { ...changes, compatibility: changes.compatibility?.map(rangeText) };
  checkReplaced({ replaced, present, wanted }, faults);
}
