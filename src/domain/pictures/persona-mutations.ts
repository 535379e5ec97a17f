import { randomUUID } from 'node:crypto';
import { requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { InvalidInputError, refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { db, type Transaction } from '../../infra/db.ts';
import type { UploadedFile } from '../../infra/staging/staging.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { changedAddon } from '../addons/addon.ts';
import { TranslationInput } from '../addons/localized.ts';
import { requireLocale, type TranslationChange } from '../addons/localized-text.ts';
import { storedColor } from '../addons/theme-color.ts';
import { randomSlug } from '../listing/check-listing.ts';
import { changeTexts } from '../listing/check-texts.ts';
import { EXPECTED_DESCRIPTION } from '../listing/expected-listing.ts';
import { checkExpected } from '../listing/expected-values.ts';
import { FieldErrors } from '../listing/field-errors.ts';
import { lockEditableAddon, requireAuthorAccount, requireEditableAddon } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { PERSONA_FOOTER, PERSONA_HEADER } from './picture-kinds.ts';
import { receivePicture } from './receive-picture.ts';

/*
 * Personas are lightweight themes without a package: pictures and colours. A new persona, and new pictures of a public one,
 * wait for review.
 */

/**
 * Returns a colour in its stored form, six lower-case hex digits; null for null and "".
 * @throws {InvalidInputError} on `field` for anything but `#rgb` and `#rrggbb`.
 */
function readColor(text: string | null, field: string): string | null {
  if (text === null || text === '') return null;
  const stored = storedColor(text);
  if (stored === null) throw refusedField(field, message('persona.invalid_color', { value: printable(text) }));
  return stored;
}

/**
 * Checks and locks the category and licence of a persona for this transaction.
 * @throws {InvalidInputError} on `category` or `license`.
 */
async function requireChoices(tx: Transaction, categoryId: number, licenseId: number): Promise<void> {
  const category = await tx.$queryRaw<unknown[]>`
    SELECT id FROM category WHERE id = ${categoryId} AND type = 'persona' FOR KEY SHARE`;
  if (category.length === 0) throw refusedField('category', message('category.not_of_type'));
  const license = await tx.$queryRaw<unknown[]>`
    SELECT id FROM license WHERE id = ${licenseId} AND builtin IS NOT NULL FOR KEY SHARE`;
  if (license.length === 0) throw refusedField('license', message('license.unknown'));
}

/** `category` and `license` are database ids. */
interface NewPersona {
  defaultLocale: string;
  name: TranslationChange[];
  summary: TranslationChange[];
  category: number;
  license: number;
  header: Promise<UploadedFile>;
  accentColor: string | null;
  textColor: string | null;
}

type PersonaPicture = 'header' | 'footer';

/** Returns columns of `persona`. @throws what `receivePicture` throws, with `which` as the invalid field. */
async function receivePersonaPicture(
  accountId: number,
  which: PersonaPicture,
  file: Promise<UploadedFile>,
): Promise<{ headerSha256: string } | { footerSha256: string }> {
  try {
    const { sha256 } = await receivePicture(accountId, file, which === 'header' ? PERSONA_HEADER : PERSONA_FOOTER);
    return which === 'header' ? { headerSha256: sha256 } : { footerSha256: sha256 };
  } catch (error) {
    throw error instanceof InvalidInputError ? refusedField(which, error.reason) : error;
  }
}

/**
 * Creates a persona of the viewer, which waits for review. Returns its id.
 * @throws {NotAuthenticatedError}, {InvalidInputError} on the invalid field, and what `receivePicture` throws.
 */
async function createPersona(viewer: Viewer, facts: NewPersona): Promise<number> {
  const { accountId } = requireSignedIn(viewer);
  const { defaultLocale, category, license } = facts;
  const name = changeTexts('name', { present: {}, defaultLocale }, facts.name);
  const summary = changeTexts('summary', { present: {}, defaultLocale }, facts.summary);
  const colors = {
    accentColor: readColor(facts.accentColor, 'accentColor'),
    textColor: readColor(facts.textColor, 'textColor'),
  };
  await requireChoices(db, category, license);
  const header = await receivePersonaPicture(accountId, 'header', facts.header);
  return db.$transaction(async (tx) => {
    await requireAuthorAccount(tx, accountId);
    await requireChoices(tx, category, license);
    const { id } = await tx.addon.create({
      data: {
        guid: `{${randomUUID()}}`,
        slug: randomSlug(),
        type: 'persona',
        status: 'pending',
        defaultLocale,
        name,
        summary,
        licenseId: license,
        authors: { create: { accountId, role: 'owner' } },
        categories: { create: { categoryId: category } },
        persona: { create: { ...colors, ...header } },
      },
      select: { id: true },
    });
    await recordActivity(tx, { action: 'addon-created', accountId, addonId: id, details: { ...header } });
    await publishAddons(tx, [id]);
    return id;
  });
}

type Colors = Partial<Record<'accentColor' | 'textColor', string | null | undefined>>;

/** Absent keys do not change; null removes a colour. */
interface PersonaChanges extends Colors {
  removeFooter?: boolean | null | undefined;
  picture?: { which: PersonaPicture; file: Promise<UploadedFile> };
}

/**
 * Changes pictures and colours of a persona. A new picture sends a public persona back to review. `expected` are the colours that the
 * changes replace.
 * @throws what `requireEditableAddon` and `receivePicture` throw, {InvalidInputError} on the invalid or changed field.
 */
async function updatePersona(
  viewer: Viewer,
  addonId: number,
  changes: PersonaChanges,
  expected: Colors = {},
): Promise<void> {
  const { editor, type } = await requireEditableAddon(viewer, addonId, 'releases');
  if (type !== 'persona') throw new InvalidInputError(message('persona.not_persona'));
  const { accentColor, textColor, removeFooter, picture } = changes;
  const update = {
    ...(accentColor === undefined ? {} : { accentColor: readColor(accentColor, 'accentColor') }),
    ...(textColor === undefined ? {} : { textColor: readColor(textColor, 'textColor') }),
    ...(removeFooter ? { footerSha256: null } : {}),
    ...(picture ? await receivePersonaPicture(editor.accountId, picture.which, picture.file) : {}),
  };
  await db.$transaction(async (tx) => {
    await lockEditableAddon(tx, viewer, addonId, 'releases');
    await requireColors(tx, addonId, expected, changes);
    await tx.persona.upsert({ where: { addonId }, create: { addonId, ...update }, update });
    if (picture) await requestReview(tx, addonId);
    const details = { ...update };
    await recordActivity(tx, { action: 'persona-edited', accountId: editor.accountId, addonId, details });
    await publishAddons(tx, [addonId]);
  });
}

/** @throws {InvalidInputError} on the colours that others have changed. */
async function requireColors(tx: Transaction, addonId: number, expected: Colors, wanted: Colors): Promise<void> {
  if (Object.keys(expected).length === 0) return;
  const present = await tx.persona.findUnique({ where: { addonId }, select: { accentColor: true, textColor: true } });
  const faults = new FieldErrors();
  const colors = {
    expected: withoutMarks(expected),
    present: withoutMarks(present ?? {}),
    wanted: withoutMarks(wanted),
  };
  checkExpected(colors, faults);
  faults.throwIfAny();
}

const withoutMark = (color: string | null | undefined) =>
  color === undefined ? undefined : (color ?? '').replace('#', '').toLowerCase();

const withoutMarks = ({ accentColor, textColor }: Colors) => ({
  accentColor: withoutMark(accentColor),
  textColor: withoutMark(textColor),
});

const REVIEWABLE = ['public', 'rejected', 'incomplete'];

/** Makes a persona wait for review unless it does already. */
async function requestReview(tx: Transaction, addonId: number): Promise<void> {
  const where = { id: addonId, status: { in: REVIEWABLE } };
  await tx.addon.updateMany({ where, data: { status: 'review-pending' } });
}

const HEADER = 'A PNG or JPEG of 3000 by 200 pixels and at most 300 KiB.';
const FOOTER = 'A PNG or JPEG of 3000 by 100 pixels and at most 300 KiB.';
const COLOR = 'Colour as #rrggbb or #rgb';

mutation('createPersona', {
  description: 'Creates a persona of the viewer. It becomes public when a reviewer approves it.',
  input: 'A new persona.',
  inputFields: (t) => ({
    name: t.field({ type: [TranslationInput], required: true, description: 'Names by language.' }),
    summary: t.field({ type: [TranslationInput], required: true, description: 'Summaries by language.' }),
    defaultLocale: t.string({ description: 'Fallback language of its texts. Default: the language of the site.' }),
    category: t.id({ required: true, description: 'Global id of a category of type PERSONA.' }),
    license: t.id({ required: true, description: 'Global id of a built-in licence.' }),
    header: t.field({ type: 'UploadedFile', required: true, description: HEADER }),
    accentColor: t.string({ description: `${COLOR} behind the header.` }),
    textColor: t.string({ description: `${COLOR} of texts on the header.` }),
  }),
  resolve: async (input, { viewer }) => ({
    addonId: await createPersona(viewer, {
      name: input.name,
      summary: input.summary,
      defaultLocale: requireLocale('defaultLocale', input.defaultLocale ?? config.DEFAULT_LOCALE),
      category: idOf('Category', input.category, 'category'),
      license: idOf('License', input.license, 'license'),
      header: input.header,
      accentColor: input.accentColor ?? null,
      textColor: input.textColor ?? null,
    }),
  }),
  payloadFields: changedAddon,
});

const PersonaPictureInput = builder.inputType('PersonaPictureInput', {
  isOneOf: true,
  description: 'A new picture of a persona. A request contains one file.',
  fields: (t) => ({
    header: t.field({ type: 'UploadedFile', description: HEADER }),
    footer: t.field({ type: 'UploadedFile', description: FOOTER }),
  }),
});

function pictureOf(input: typeof PersonaPictureInput.$inferInput | null | undefined): Pick<PersonaChanges, 'picture'> {
  if (input?.header) return { picture: { which: 'header', file: input.header } };
  return input?.footer ? { picture: { which: 'footer', file: input.footer } } : {};
}

const ExpectedPersonaInput = builder.inputType('ExpectedPersonaInput', {
  description: 'Values of a persona as a client read them. Null is no value; absent fields are not compared.',
  fields: (t) => ({
    accentColor: t.string({ description: 'ThemeData.accentColor.' }),
    textColor: t.string({ description: 'ThemeData.textColor.' }),
  }),
});

mutation('updatePersona', {
  description:
    'Changes pictures and colours of a persona. A new picture sends a public persona back to review. For its authors and holders of Addons:Edit.',
  input: 'Changes to a persona. Absent fields do not change.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    accentColor: t.string({ description: `${COLOR} behind the header; null removes it.` }),
    textColor: t.string({ description: `${COLOR} of texts on the header; null removes it.` }),
    picture: t.field({ type: PersonaPictureInput, description: 'A new header or footer.' }),
    removeFooter: t.boolean({ description: 'True removes the footer.' }),
    expected: t.field({ type: ExpectedPersonaInput, description: EXPECTED_DESCRIPTION }),
  }),
  resolve: async ({ id, picture, expected, ...changes }, context) => {
    const addonId = idOf('Addon', id);
    await updatePersona(context.viewer, addonId, { ...changes, ...pictureOf(picture) }, expected ?? {});
    return { addonId };
  },
  payloadFields: changedAddon,
});
