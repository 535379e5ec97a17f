import { readFile } from 'node:fs/promises';
import { COMMAND_LINE } from '../domain/activity/record-audit.ts';
import type { TextsByLocale, TranslationChange } from '../domain/addons/localized-text.ts';
import { deleteLicense, listBuiltinLicenses, setLicense } from '../domain/reference/manage-licenses.ts';
import {
  addApplicationVersion,
  deleteCategory,
  listApplicationVersions,
  listCategories,
  type ReferenceCategory,
  setCategory,
} from '../domain/reference/manage-reference.ts';
import { ADDON_TYPES, type AddonType } from '../package/enums.ts';
import { CommandError, type Invocation, print } from './command.ts';
import { readApplication } from './discovery.ts';
import { withDatabase } from './with-database.ts';

/** Adds a known version of an application. */
export async function addVersionCommand(invocation: Invocation): Promise<void> {
  const app = readApplication(invocation.argument('APP'));
  const version = invocation.argument('VERSION');
  const isNew = await withDatabase(() => addApplicationVersion(COMMAND_LINE, app, version));
  print(`${app} ${version} ${isNew ? 'was added' : 'already exists'}.`);
}

/** Prints the known versions of an application, lowest first. */
export async function listVersions(invocation: Invocation): Promise<void> {
  const app = readApplication(invocation.argument('APP'));
  print(...(await withDatabase(() => listApplicationVersions(app))));
}

/** @throws {CommandError} for an unknown add-on type. */
function readType(text: string): AddonType {
  const type = ADDON_TYPES.find((known) => known === text);
  if (type === undefined) throw new CommandError(`unknown type '${text}'; use one of ${ADDON_TYPES.join(', ')}`);
  return type;
}

/** Parses `LANGUAGE=TEXT`; an empty text deletes that of the language. @throws {CommandError} for anything else. */
function readTranslation(option: string, given: string): TranslationChange & { value: string } {
  const [match, locale = '', value = ''] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (match === undefined) throw new CommandError(`--${option}: '${given}' does not look like 'en-US=…'`);
  return { locale, value };
}

function readNames(invocation: Invocation): TranslationChange[] | null {
  const names = invocation.list('name').map((given) => readTranslation('name', given));
  return names.length === 0 ? null : names;
}

/** The texts of the files that `--text en-US=FILE` names. @throws {CommandError} for one that cannot be read. */
async function readTexts(invocation: Invocation): Promise<TranslationChange[] | null> {
  const files = invocation.list('text').map((given) => readTranslation('text', given));
  const texts = files.map(async ({ locale, value: file }) => ({ locale, value: file && (await readText(file)) }));
  return files.length === 0 ? null : Promise.all(texts);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(`--text: ${(error as Error).message}`);
  }
}

const written = (texts: TextsByLocale): string[] =>
  Object.entries(texts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([locale, text]) => `${locale}=${text}`);

const placeOf = (invocation: Invocation): Omit<ReferenceCategory, 'slug'> => ({
  app: readApplication(invocation.argument('APP')),
  type: readType(invocation.argument('TYPE')),
});

const keyOf = (invocation: Invocation): ReferenceCategory => ({
  ...placeOf(invocation),
  slug: invocation.argument('SLUG'),
});

const WEIGHT = /^-?\d{1,9}$/;

/** Prints the categories of an application and type with their weights and names. */
export async function printCategories(invocation: Invocation): Promise<void> {
  const { app, type } = placeOf(invocation);
  const categories = await withDatabase(() => listCategories(app, type));
  for (const { slug, weight, name } of categories) print([slug, weight, ...written(name)].join('\t'));
}

/** Creates a category, or changes its names and weight. */
export async function changeCategory(invocation: Invocation): Promise<void> {
  const key = keyOf(invocation);
  const name = readNames(invocation);
  const given = invocation.optionalText('weight');
  if (given !== undefined && !WEIGHT.test(given)) throw new CommandError(`--weight: '${given}' is not a whole number`);
  const weight = given === undefined ? null : Number(given);
  await withDatabase(() => setCategory(COMMAND_LINE, key, { name, weight }));
  print(`${key.app} has the category ${key.slug} for the type ${key.type}.`);
}

/** Deletes a category without add-ons. */
export async function removeCategory(invocation: Invocation): Promise<void> {
  const key = keyOf(invocation);
  await withDatabase(() => deleteCategory(COMMAND_LINE, key));
  print(`${key.app} no longer has the category ${key.slug} for the type ${key.type}.`);
}

/** Prints the built-in licences with their names. */
export async function printLicenses(): Promise<void> {
  const licenses = await withDatabase(listBuiltinLicenses);
  for (const { builtin, name } of licenses) print([builtin, ...written(name)].join('\t'));
}

/** Creates a built-in licence, or changes its names, texts and URL. */
export async function changeLicense(invocation: Invocation): Promise<void> {
  const builtin = invocation.argument('SPDX');
  const changes = {
    name: readNames(invocation),
    text: await readTexts(invocation),
    url: invocation.optionalText('url') ?? null,
  };
  await withDatabase(() => setLicense(COMMAND_LINE, builtin, changes));
  print(`Developers can choose ${builtin}.`);
}

/** Deletes an unused built-in licence. */
export async function removeLicense(invocation: Invocation): Promise<void> {
  const builtin = invocation.argument('SPDX');
  await withDatabase(() => deleteLicense(COMMAND_LINE, builtin));
  print(`Developers can no longer choose ${builtin}.`);
}
