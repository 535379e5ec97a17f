/*
 * Creates add-ons in the database of a running service in one step, in the state that uploads, reviews and edits produce.
 * Unspecified columns have valid defaults.
 */
import { randomBytes } from 'node:crypto';
import type { Prisma } from '../../src/infra/db.ts';

export interface VersionFacts {
  version?: string;
  channel?: 'listed' | 'unlisted';
  stage?: string;
  reason?: string;
  reasonMessage?: Prisma.InputJsonObject;
  created?: Date;
  deletedAt?: Date;
  reviewed?: Date | null;
  releaseNotes?: Record<string, string>;
  isStrictCompatibilityEnabled?: boolean;
  license?: { builtin?: string; name?: Record<string, string>; text?: Record<string, string>; url?: string };
  compatibility?: Partial<Record<'desktop_browser' | 'mobile_browser' | 'suite_app' | 'mail_client', [string, string]>>;
  files?: (Partial<Omit<Prisma.FileUncheckedCreateInput, 'versionId'>> & { status?: number })[];
}

/** Columns and parts of an add-on. A `status` other than deleted and disabled must match the versions. */
export interface AddonFacts extends Partial<Omit<Prisma.AddonUncheckedCreateInput, AddonParts>> {
  /** Account ids in the order of the author list; the first is the owner. */
  authors?: (number | { id: number; role?: 'owner' | 'developer'; listed?: boolean })[];
  tags?: string[];
  /** Categories of the add-on's type, created if missing. */
  categories?: { app: string; slug: string; name?: Record<string, string> }[];
  previews?: Omit<Prisma.PreviewUncheckedCreateInput, 'addonId'>[];
  persona?: Omit<Prisma.PersonaUncheckedCreateInput, 'addonId'>;
  featured?: Omit<Prisma.FeaturedEntryUncheckedCreateInput, 'addonId'>[];
  /** Oldest first; a public listed one by default. */
  versions?: VersionFacts[];
}

type AddonParts =
  | 'authors'
  | 'tags'
  | 'categories'
  | 'previews'
  | 'persona'
  | 'featured'
  | 'versions'
  | 'document'
  | 'uploads'
  | 'activities';

/** A created add-on. Versions and files are in the given order. */
export interface MadeAddon {
  id: number;
  guid: string;
  slug: string;
  versions: { id: number; files: { id: number; sha256: string }[] }[];
}

const hash = () => randomBytes(32).toString('hex');
let made = 0;

/** Creates an add-on and publishes it. */
export async function addon(facts: AddonFacts = {}): Promise<MadeAddon> {
  const { db } = await import('../../src/infra/db.ts');
  const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
  return db.$transaction(async (tx) => {
    const { authors = [], tags = [], categories = [], previews = [], persona, featured = [], versions, ...row } = facts;
    made += 1;
    const created = await tx.addon.create({
      data: {
        guid: `made-${made}@example`,
        slug: `made-${made}`,
        type: 'extension',
        status: 'public',
        defaultLocale: 'en-US',
        name: { 'en-US': `Made ${made}` },
        ...row,
        authors: {
          create: authors
            .map((author) => (typeof author === 'number' ? { id: author } : author))
            .map(({ id, role, listed = true }: { id: number; role?: string; listed?: boolean }, position) => ({
              accountId: id,
              role: role ?? (position === 0 ? 'owner' : 'developer'),
              listed,
              position,
            })),
        },
        tags: { create: tags.map((tag) => ({ tag })) },
        previews: { create: previews },
        ...(persona ? { persona: { create: persona } } : {}),
        featured: { create: featured },
      },
    });
    for (const { app, slug, name = { 'en-US': slug } } of categories) {
      const key = { app, slug, type: created.type };
      const { id: categoryId } = await tx.category.upsert({
        where: { app_type_slug: key },
        create: { ...key, name },
        update: {},
      });
      await tx.addonCategory.create({ data: { addonId: created.id, categoryId } });
    }
    const defaults: VersionFacts[] = [created.type === 'persona' ? { files: [], compatibility: {} } : {}];
    const rows: { facts: VersionFacts; row: MadeAddon['versions'][number] }[] = [];
    for (const [index, version] of (versions ?? defaults).entries()) {
      rows.push({ facts: version, row: await addVersion(tx, created.id, version, index) });
    }
    const isOffered = ({ facts: { channel = 'listed', deletedAt, files = [{}] } }: (typeof rows)[number]) =>
      channel === 'listed' && !deletedAt && files.every(({ status = 4 }) => status === 4);
    const currentVersionId = row.currentVersionId ?? rows.findLast(isOffered)?.row.id ?? null;
    await tx.addon.update({ where: { id: created.id }, data: { currentVersionId } });
    await publishAddons(tx, [created.id]);
    return { id: created.id, guid: created.guid, slug: created.slug ?? '', versions: rows.map((each) => each.row) };
  });
}

async function addVersion(tx: Prisma.TransactionClient, addonId: number, facts: VersionFacts, index: number) {
  const { encodeApplicationVersion } = await import('../../src/package/application-version.ts');
  const { license, compatibility = { desktop_browser: ['57.0', '*'] }, files = [{}], ...row } = facts;
  const licenseId = license && (await licenseOf(tx, license));
  return tx.version.create({
    data: {
      addonId,
      version: `${index + 1}.0`,
      channel: 'listed',
      stage: 'signed',
      reviewed: new Date('2018-10-25T09:30:00Z'),
      created: new Date(Date.UTC(2018, 9, 1 + index)),
      ...row,
      licenseId: licenseId ?? null,
      compatibility: {
        create: Object.entries(compatibility).map(([app, [min, max]]) => ({
          app,
          min,
          max,
          minCode: BigInt(encodeApplicationVersion(min) ?? 0),
          maxCode: BigInt(encodeApplicationVersion(max) ?? 0),
        })),
      },
      files: {
        create: files.map((file) => ({
          name: `made_${addonId}-${index + 1}.0.xpi`,
          size: 1000n,
          sha256: hash(),
          originalSha256: hash(),
          status: 4,
          permissions: ['storage'],
          isWebextension: true,
          isStored: false,
          ...file,
        })),
      },
    },
    select: { id: true, files: { select: { id: true, sha256: true }, orderBy: { id: 'asc' } } },
  });
}

async function licenseOf(tx: Prisma.TransactionClient, { builtin, ...texts }: NonNullable<VersionFacts['license']>) {
  if (builtin === undefined) return (await tx.license.create({ data: texts })).id;
  return (await tx.license.findUniqueOrThrow({ where: { builtin } })).id;
}
