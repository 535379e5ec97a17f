import { publishAddons } from '../../../src/domain/listing/publish-addons.ts';
import { db, type Transaction } from '../../../src/infra/db.ts';
import { encodeApplicationVersion } from '../../../src/package/application-version.ts';
import type { CatalogueAddon } from './catalogue.ts';

const SHA256 = 'a'.repeat(64);
/** Add-ons per transaction: a transaction must not idle long while this process analyses texts, also on a machine under load. */
const STEP = 100;

/** Creates add-ons in the database as the service does, with documents and search rows. */
export async function loadCatalogue(addons: readonly CatalogueAddon[]): Promise<void> {
  for (let start = 0; start < addons.length; start += STEP) {
    const some = addons.slice(start, start + STEP);
    await db.$transaction((tx) => loadSome(tx, some), { timeout: 60_000 });
  }
}

async function loadSome(tx: Transaction, addons: readonly CatalogueAddon[]): Promise<void> {
  await createAuthors(tx, addons);
  await tx.addon.createMany({ data: addons.map(addonData) });
  await createVersions(
    tx,
    addons.filter(({ type }) => type !== 'persona'),
  );
  await createRelated(tx, addons);
  await publishAddons(
    tx,
    addons.map(({ id }) => id),
  );
}

function addonData(addon: CatalogueAddon) {
  return {
    id: addon.id,
    guid: `addon${addon.id}@catalogue.example`,
    slug: `addon-${addon.id}`,
    type: addon.type,
    status: addon.hidden === 'disabled' ? 'disabled' : addon.hidden === 'unlisted' ? 'incomplete' : 'public',
    defaultLocale: addon.defaultLocale,
    name: addon.name,
    summary: addon.summary,
    description: addon.description,
    isExperimental: addon.isExperimental,
    averageDailyUsers: addon.users,
    weeklyDownloads: addon.downloads,
    hotness: addon.hotness,
    ratingBayesian: addon.rating,
    created: addon.created,
    lastUpdated: addon.lastUpdated,
  };
}

async function createAuthors(tx: Transaction, addons: readonly CatalogueAddon[]): Promise<void> {
  const authors = new Map(addons.flatMap(({ authors }) => authors.map((author) => [author.id, author])));
  await tx.account.createMany({ data: [...authors.values()], skipDuplicates: true });
}

/** Versions and files have the ids of their add-ons; an add-on has one file per platform. */
async function createVersions(tx: Transaction, addons: readonly CatalogueAddon[]): Promise<void> {
  await tx.version.createMany({
    data: addons.map(({ id, isStrict, hidden }) => ({
      id,
      addonId: id,
      version: '1.0',
      channel: hidden === 'unlisted' ? 'unlisted' : 'listed',
      stage: 'signed',
      isStrictCompatibilityEnabled: isStrict,
    })),
  });
  await tx.versionCompatibility.createMany({
    data: addons.flatMap(({ id, compatibility }) =>
      Object.entries(compatibility).map(([app, { min, max }]) => ({
        versionId: id,
        app,
        min,
        max,
        minCode: encodeApplicationVersion(min) as number,
        maxCode: encodeApplicationVersion(max) as number,
      })),
    ),
  });
  const file = { name: 'addon.xpi', permissions: [], status: 4, size: 1, sha256: SHA256, originalSha256: SHA256 };
  await tx.file.createMany({
    data: addons.flatMap(({ id, platforms, isInstallable = true }) =>
      platforms.map((platform) => ({ ...file, versionId: id, platform, isWebextension: isInstallable })),
    ),
  });
  const current = addons.filter(({ hidden }) => hidden !== 'unlisted').map(({ id }) => id);
  await tx.$executeRaw`UPDATE addon SET current_version_id = id WHERE id = ANY(${current})`;
}

async function createRelated(tx: Transaction, addons: readonly CatalogueAddon[]): Promise<void> {
  await tx.addonAuthor.createMany({
    data: addons.flatMap(({ id, authors }) =>
      authors.map((one) => ({ addonId: id, accountId: one.id, role: 'owner' })),
    ),
  });
  await tx.addonTag.createMany({ data: addons.flatMap(({ id, tags }) => tags.map((tag) => ({ addonId: id, tag }))) });
  await tx.featuredEntry.createMany({
    data: addons.flatMap(({ id, featured }) => featured.map((entry) => ({ ...entry, addonId: id }))),
  });
  await addToCategories(tx, addons);
}

async function addToCategories(tx: Transaction, addons: readonly CatalogueAddon[]): Promise<void> {
  const places = addons.flatMap(({ id, categories }) => categories.map((path) => ({ id, path })));
  const data = places.map(({ path }) => {
    const [app = '', type = '', slug = ''] = path.split('/');
    return { app, type, slug };
  });
  await tx.category.createMany({ data, skipDuplicates: true });
  const rows = await tx.category.findMany();
  const ids = new Map(rows.map(({ id, app, type, slug }) => [`${app}/${type}/${slug}`, id]));
  await tx.addonCategory.createMany({
    data: places.map(({ id, path }) => ({ addonId: id, categoryId: ids.get(path) ?? 0 })),
  });
}
