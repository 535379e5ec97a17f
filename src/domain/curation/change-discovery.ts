/*
 * One entry of the lists of `curate-discovery.ts` at a time. Each change and its audit row are one transaction, which waits for other changes
 * of the list. Callers check permissions.
 */
import { refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { type AuditActor, recordAudit } from '../activity/record-audit.ts';
import type { AddonRef } from '../addons/addon-ref.ts';
import { storedTexts } from '../addons/localized-text.ts';
import { BROWSER_NAME, MAX_ENTRIES } from '../discovery/curated-limits.ts';
import { requireExpected } from '../listing/expected-values.ts';
import { checkGuid, checkText } from './check-curation.ts';
import {
  type CuratedTextChanges,
  checkCount,
  checkPlace,
  type DiscoveryPlace,
  lockList,
  textsIn,
} from './curate-discovery.ts';
import { findExistingAddon } from './list-curated.ts';

const EXISTS = message('curation.exists');

interface DiscoveryEntryChange extends DiscoveryPlace {
  addon: AddonRef;
  /** Absent texts stay. */
  heading?: CuratedTextChanges;
  description?: CuratedTextChanges;
  /** From 1. Absent: the present one, of a new entry the last. */
  position?: number | null;
  /** The position that the client read. */
  expectedPosition?: number | null;
  /** Whether the list must not have the add-on yet. */
  isNew: boolean;
}

/** The entries of a list in their order. */
const entriesOf = (tx: Transaction, place: DiscoveryPlace) =>
  tx.discoveryEntry.findMany({ where: place, orderBy: [{ position: 'asc' }, { id: 'asc' }] });

/**
 * Adds an add-on to the recommendations for an edition and a language, or changes its texts and its position. Returns the id of the entry.
 * @throws {InvalidInputError} on the field at fault.
 */
export async function putDiscoveryEntry(
  actor: AuditActor,
  { addon, heading, description, position, expectedPosition, isNew, ...named }: DiscoveryEntryChange,
): Promise<number> {
  const place = checkPlace(named);
  const addonId = await findExistingAddon(addon);
  return db.$transaction(async (tx) => {
    await lockList(tx, 'discovery_entry');
    const entries = await entriesOf(tx, place);
    const index = entries.findIndex((entry) => entry.addonId === addonId);
    const present = entries[index];
    if (isNew && present !== undefined) throw refusedField('addon', EXISTS);
    const count = entries.length + (present === undefined ? 1 : 0);
    if (count > MAX_ENTRIES.discovery)
      throw refusedField('addon', message('field.too_many_entries', { count: MAX_ENTRIES.discovery }));
    const now = present === undefined ? count : index + 1;
    const wanted = position ?? now;
    if (wanted < 1 || wanted > count) throw refusedField('position', message('curation.no_position', { count }));
    const expected = { position: expectedPosition ?? undefined };
    requireExpected({ expected, present: { position: now }, wanted: { position: wanted } });
    const data = {
      heading: textsIn('heading', heading, storedTexts(present?.heading)),
      description: textsIn('description', description, storedTexts(present?.description)),
    };
    const select = { id: true } as const;
    const { id } =
      present === undefined
        ? await tx.discoveryEntry.create({ data: { ...place, addonId, position: count, ...data }, select })
        : await tx.discoveryEntry.update({ where: { id: present.id }, data, select });
    const order = entries.map((entry) => entry.id).filter((each) => each !== id);
    await writeOrder(tx, order.toSpliced(wanted - 1, 0, id));
    await recordAudit(tx, actor, 'discovery-entry-set', { ...place, addonId, position: wanted });
    return id;
  });
}

/** Writes positions from 0, as `setDiscovery` does. */
async function writeOrder(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE discovery_entry e SET position = o.place - 1 FROM unnest(${ids}::int[]) WITH ORDINALITY o(id, place)
    WHERE e.id = o.id AND e.position <> o.place - 1`;
}

/** Removes an add-on from the recommendations for an edition and a language. Without it, nothing happens. */
export async function removeDiscoveryEntry(
  actor: AuditActor,
  { addon, ...named }: DiscoveryPlace & { addon: AddonRef },
): Promise<void> {
  const place = checkPlace(named);
  const addonId = await findExistingAddon(addon);
  await db.$transaction(async (tx) => {
    await lockList(tx, 'discovery_entry');
    const { count } = await tx.discoveryEntry.deleteMany({ where: { ...place, addonId } });
    if (count > 0) await recordAudit(tx, actor, 'discovery-entry-removed', { ...place, addonId });
  });
}

/** An extension of another browser. */
interface MappedExtension {
  browser: string;
  extensionId: string;
}

function checkExtension({ browser, extensionId }: MappedExtension): MappedExtension {
  if (!BROWSER_NAME.test(browser)) throw refusedField('browser', message('mapping.invalid_browser'));
  const checked = { browser, extensionId: checkText('extensionId', extensionId) };
  if (checked.extensionId === '') throw refusedField('extensionId', message('field.blank'));
  return checked;
}

/**
 * Sets the add-on that does what an extension of another browser does.
 * @throws {InvalidInputError} on the field at fault; on `addonGuid` if it is neither the expected nor the wanted one.
 */
export async function setBrowserMapping(
  actor: AuditActor,
  {
    addonGuid,
    expectedGuid,
    isNew,
    ...extension
  }: MappedExtension & {
    addonGuid: string;
    /** The guid that the client read. */
    expectedGuid?: string | null;
    /** Whether the extension must not have an add-on yet. */
    isNew: boolean;
  },
): Promise<void> {
  const key = checkExtension(extension);
  const guid = checkGuid(addonGuid, 'addonGuid');
  await db.$transaction(async (tx) => {
    await lockList(tx, 'browser_mapping');
    const where = { browser_extensionId: key };
    const present = await tx.browserMapping.findUnique({ where });
    if (isNew && present !== null) throw refusedField('extensionId', EXISTS);
    if (present?.addonGuid === guid) return;
    const expected = { addonGuid: expectedGuid ?? undefined };
    requireExpected({ expected, present: { addonGuid: present?.addonGuid ?? null }, wanted: { addonGuid: guid } });
    if (present === null) {
      const count = await tx.browserMapping.count({ where: { browser: key.browser } });
      checkCount('extensionId', count + 1, MAX_ENTRIES.mappings);
      await tx.browserMapping.create({ data: { ...key, addonGuid: guid } });
    } else await tx.browserMapping.update({ where, data: { addonGuid: guid } });
    await recordAudit(tx, actor, 'browser-mapping-set', { ...key, addonGuid: guid });
  });
}

/** Removes the add-on for an extension of another browser. Without one, nothing happens. */
export async function removeBrowserMapping(actor: AuditActor, extension: MappedExtension): Promise<void> {
  const key = checkExtension(extension);
  await db.$transaction(async (tx) => {
    await lockList(tx, 'browser_mapping');
    const { count } = await tx.browserMapping.deleteMany({ where: key });
    if (count > 0) await recordAudit(tx, actor, 'browser-mapping-removed', { ...key });
  });
}
