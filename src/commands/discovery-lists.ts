import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { z } from 'zod';
import { COMMAND_LINE } from '../domain/activity/record-audit.ts';
import { setBrowserMappings, setDiscovery, setHero } from '../domain/curation/curate-discovery.ts';
import { addonReference } from '../graphql/references.ts';
import { ADDON_TYPES } from '../package/enums.ts';
import { CommandError, type Invocation, print } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Texts by language. */
const texts = z
  .record(z.string(), z.string())
  .transform((all) => Object.entries(all).map(([locale, value]) => ({ locale, value })));

/** Id, slug or guid. */
const addon = z.string().transform(addonReference);

const cta = z.strictObject({ url: z.string(), text: texts });

const DISCOVERY = z.strictObject({
  edition: z.string().nullable().default(null),
  locale: z.string().nullable().default(null),
  entries: z.array(z.strictObject({ addon, heading: texts.optional(), description: texts.optional() })),
});

const HERO = z.strictObject({
  entries: z
    .array(
      z.strictObject({
        addon: addon.optional(),
        external: z
          .strictObject({ guid: z.string(), homepage: z.string(), name: z.string(), type: z.enum(ADDON_TYPES) })
          .partial({ guid: true, type: true })
          .optional(),
        gradientStart: z.string(),
        gradientEnd: z.string(),
        featuredImage: z.string().optional(),
        description: texts.optional(),
      }),
    )
    .optional(),
  secondary: z
    .strictObject({
      ...{ headline: texts, description: texts, cta: cta.nullable().default(null) },
      modules: z.array(z.strictObject({ icon: z.string(), description: texts, cta: cta.nullable().default(null) })),
    })
    .nullable()
    .optional(),
});

const MAPPINGS = z.record(z.string(), z.string());

/** The shapes of the lists. */
const LISTS = { discovery: DISCOVERY, hero: HERO, mappings: MAPPINGS };

/** A list from the text of a file. @throws {CommandError} for a text that is no JSON, and for one of another shape. */
export function parseList<Kind extends keyof typeof LISTS>(
  kind: Kind,
  content: string,
  file: string,
): z.output<(typeof LISTS)[Kind]> {
  const { data, error } = LISTS[kind].safeParse(parsed(content, file));
  if (error !== undefined) throw new CommandError(`${file}: ${z.prettifyError(error)}`);
  return data as z.output<(typeof LISTS)[Kind]>;
}

function parsed(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new CommandError(`${file} is no JSON.`);
  }
}

/** Reads the file that the command names; `-` is standard input. */
async function readList<Kind extends keyof typeof LISTS>(invocation: Invocation, kind: Kind) {
  const file = invocation.argument('FILE');
  return parseList(kind, file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8'), file);
}

/** Replaces what browsers recommend in an edition and a language. */
export async function changeDiscovery(invocation: Invocation): Promise<void> {
  const list = await readList(invocation, 'discovery');
  await withDatabase(() => setDiscovery(COMMAND_LINE, list));
  print(`The list has ${list.entries.length} add-ons.`);
}

/** Replaces what home pages of front ends begin with. */
export async function changeHero(invocation: Invocation): Promise<void> {
  const parts = await readList(invocation, 'hero');
  await withDatabase(() => setHero(COMMAND_LINE, parts));
  print('Home pages begin with these parts.');
}

/** Replaces the add-ons for extensions of another browser. */
export async function changeBrowserMappings(invocation: Invocation): Promise<void> {
  const pairs = Object.entries(await readList(invocation, 'mappings'));
  const mappings = pairs.map(([extensionId, addonGuid]) => ({ extensionId, addonGuid }));
  await withDatabase(() => setBrowserMappings(COMMAND_LINE, { browser: invocation.argument('BROWSER'), mappings }));
  print(`The list has ${mappings.length} pairs.`);
}
