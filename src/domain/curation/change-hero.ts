/*
 * The beginning of home pages, one entry or some texts at a time. Each change and its audit row are one transaction, which waits for other
 * changes of it. Callers check permissions.
 */
import { NotFoundError, refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { type AuditActor, recordAudit } from '../activity/record-audit.ts';
import { storedTexts } from '../addons/localized-text.ts';
import { MAX_ENTRIES, MAX_HERO_MODULES } from '../discovery/curated-limits.ts';
import { defaultSecondary, type ExternalAddon, HERO_SECONDARY_ROW, type HeroSecondary } from '../discovery/hero.ts';
import { checkExpected, requireExpected } from '../listing/expected-values.ts';
import { FieldErrors } from '../listing/field-errors.ts';
import {
  type CuratedTextChanges,
  checkColor,
  checkCount,
  checkExternal,
  checkUrl,
  type HeroEntryInput,
  heroRow,
  lockList,
  textsIn,
} from './curate-discovery.ts';

/** Adds an entry. Returns its id. @throws {InvalidInputError} on the field at fault. */
export async function addHeroEntry(actor: AuditActor, entry: HeroEntryInput): Promise<number> {
  const row = await heroRow(entry, 0, 'addon');
  return db.$transaction(async (tx) => {
    await lockList(tx, 'hero_entry');
    const position = await tx.heroEntry.count();
    checkCount('addon', position + 1, MAX_ENTRIES.hero);
    const { id } = await tx.heroEntry.create({ data: { ...row, position }, select: { id: true } });
    await recordAudit(tx, actor, 'hero-entry-set', { id, addonId: row.addonId });
    return id;
  });
}

/** Values of an entry as a client read them; absent ones are not compared. */
interface ExpectedEntry {
  gradientStart?: string | null;
  gradientEnd?: string | null;
  featuredImage?: string | null;
  homepage?: string | null;
  name?: string | null;
  guid?: string | null;
  type?: ExternalAddon['type'] | null;
}

/** Absent values stay. Whether it is an add-on here or one elsewhere does not change. */
type HeroEntryChange = Partial<Pick<HeroEntryInput, 'external' | 'description'>> & {
  gradientStart?: string | null;
  gradientEnd?: string | null;
  /** Null removes it. */
  featuredImage?: string | null | undefined;
  expected?: ExpectedEntry | null;
};

/** Changes an entry. @throws {NotFoundError}, {InvalidInputError} on the field at fault. */
export async function changeHeroEntry(actor: AuditActor, id: number, change: HeroEntryChange): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockList(tx, 'hero_entry');
    const present = await tx.heroEntry.findUnique({ where: { id } });
    if (present === null) throw new NotFoundError();
    const external = present.external as unknown as ExternalAddon | null;
    if (change.external != null && external === null) throw refusedField('external', message('hero.addon_or_external'));
    const wanted = {
      gradientStart: checkColor('gradientStart', change.gradientStart ?? present.gradientStart),
      gradientEnd: checkColor('gradientEnd', change.gradientEnd ?? present.gradientEnd),
      featuredImage: checkedImage(change.featuredImage, present.featuredImage),
      description: textsIn('description', change.description, storedTexts(present.description)),
    };
    const wantedExternal = change.external == null ? external : checkExternal(change.external);
    requireExpected({
      expected: { ...change.expected },
      present: { ...present, ...external },
      wanted: { ...wanted, ...wantedExternal },
    });
    await tx.heroEntry.update({
      where: { id },
      data: { ...wanted, ...(wantedExternal === null ? {} : { external: { ...wantedExternal } }) },
    });
    await recordAudit(tx, actor, 'hero-entry-set', { id, addonId: present.addonId });
  });
}

const checkedImage = (wanted: string | null | undefined, present: string | null): string | null =>
  wanted === undefined ? present : wanted && checkUrl('featuredImage', wanted);

/** Removes an entry. Without it, nothing happens. */
export async function removeHeroEntry(actor: AuditActor, id: number): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockList(tx, 'hero_entry');
    const { count } = await tx.heroEntry.deleteMany({ where: { id } });
    if (count > 0) await recordAudit(tx, actor, 'hero-entry-removed', { id });
  });
}

type Link = HeroSecondary['cta'];

interface LinkChange {
  /** An empty address removes the link. */
  url?: string | null;
  expectedUrl?: string | null;
  text?: CuratedTextChanges;
}

/** Absent values and languages stay. */
interface SecondaryChange {
  headline?: CuratedTextChanges;
  description?: CuratedTextChanges;
  cta?: LinkChange | null;
  modules?:
    | readonly {
        icon?: string | null;
        expectedIcon?: string | null;
        description?: CuratedTextChanges;
        cta?: LinkChange | null;
      }[]
    | null;
}

/** The second part of home pages now: that of curators, or the texts of the service. */
async function presentSecondary(tx: Transaction): Promise<HeroSecondary> {
  const row = await tx.serviceState.findUnique({ where: { name: HERO_SECONDARY_ROW } });
  return (row?.value as HeroSecondary | null | undefined) ?? defaultSecondary();
}

/** Changes the second part of home pages; from then on it has all its texts from curators. @throws {InvalidInputError} with all fields at fault. */
export async function changeHeroSecondary(actor: AuditActor, change: SecondaryChange): Promise<void> {
  const changes = change.modules ?? [];
  if (changes.length > 0 && changes.length !== MAX_HERO_MODULES)
    throw refusedField('modules', message('hero.three_modules', { count: MAX_HERO_MODULES }));
  await db.$transaction(async (tx) => {
    await lockList(tx, 'hero_entry');
    const present = await presentSecondary(tx);
    const faults = new FieldErrors();
    const value = {
      headline: await checkedTexts(faults, 'headline', change.headline, present.headline),
      description: await checkedTexts(faults, 'description', change.description, present.description),
      cta: await checkedLink(faults, 'cta', change.cta, present.cta),
      modules: [] as HeroSecondary['modules'][number][],
    };
    for (const [index, module] of present.modules.entries()) {
      const [field, wanted] = [`modules.${index}`, changes[index]];
      const icon = wanted?.icon ?? module.icon;
      value.modules.push({
        icon: await checkedUrl(faults, `${field}.icon`, icon, { now: module.icon, read: wanted?.expectedIcon }),
        description: await checkedTexts(faults, `${field}.description`, wanted?.description, module.description),
        cta: await checkedLink(faults, `${field}.cta`, wanted?.cta, module.cta),
      });
    }
    faults.throwIfAny();
    const stored = JSON.parse(JSON.stringify(value));
    await tx.serviceState.upsert({
      where: { name: HERO_SECONDARY_ROW },
      create: { name: HERO_SECONDARY_ROW, value: stored },
      update: { value: stored },
    });
    await recordAudit(tx, actor, 'hero-set', { parts: ['secondary'] });
  });
}

const checkedTexts = async (
  faults: FieldErrors,
  field: string,
  changes: CuratedTextChanges,
  present: HeroSecondary['headline'],
): Promise<HeroSecondary['headline']> =>
  (await faults.collect(async () => textsIn(field, changes, present))) ?? present;

/** An address. `read` is what the client read. */
async function checkedUrl(
  faults: FieldErrors,
  field: string,
  url: string,
  { now, read }: { now: string; read: string | null | undefined },
): Promise<string> {
  checkExpected(
    { expected: { [field]: read ?? undefined }, present: { [field]: now }, wanted: { [field]: url } },
    faults,
  );
  return (await faults.collect(async () => checkUrl(field, url))) ?? now;
}

async function checkedLink(
  faults: FieldErrors,
  field: string,
  change: LinkChange | null | undefined,
  present: Link,
): Promise<Link> {
  const [now, address] = [present?.url ?? '', `${field}.url`];
  const url = change?.url?.trim() ?? now;
  const text = await checkedTexts(faults, `${field}.text`, change?.text, present?.text ?? {});
  if (url !== '') return { url: await checkedUrl(faults, address, url, { now, read: change?.expectedUrl }), text };
  const read = change?.expectedUrl ?? undefined;
  checkExpected({ expected: { [address]: read }, present: { [address]: now }, wanted: { [address]: '' } }, faults);
  return null;
}
