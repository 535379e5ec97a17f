import { refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { keysetConnection } from '../../graphql/connections.ts';
import { canonicalLocale } from '../../texts/locales.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { Addon, AddonConnection } from '../addons/addon.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { loadPublicDocuments } from '../addons/load-documents.ts';
import { type CatalogueFilters, cataloguePage, countCatalogue } from './postgres/rank/catalogue-page.ts';
import { filterFields, idsIn, valuesOf } from './queries.ts';
import { readSearchRequest } from './query/search-request.ts';

const AddonFilter = builder.inputType('AddonFilter', {
  description: 'Conditions for add-ons; all must match. Empty lists are ignored.',
  fields: (t) => ({
    ...filterFields(t),
    createdSince: t.field({ type: 'DateTime', description: 'Created at this time or later.' }),
    isExperimental: t.boolean({ description: 'Whether the add-on is marked as experimental.' }),
    locales: t.stringList({ description: 'Languages of the name; one must match.' }),
    minUsers: t.int({ description: 'Minimum of average daily users.' }),
    updatedSince: t.field({
      type: 'DateTime',
      description: 'Updated at this time or later; for synchronizing copies.',
    }),
  }),
});

const MAX_LOCALES = 500;

/** @throws {InvalidInputError} keyed by the invalid filter. */
function readFilters(filter: (typeof AddonFilter)['$inferInput'], locale: string): CatalogueFilters {
  const { categories, createdSince, isExperimental, locales, minUsers, updatedSince } = filter;
  if (locales && locales.length > MAX_LOCALES) {
    const facts = { name: 'locales', found: locales.length, max: MAX_LOCALES };
    throw refusedField('locales', message('parameter.too_many', facts));
  }
  return {
    ...readSearchRequest(valuesOf(filter), { locale, except: [] }).filters,
    categories: idsIn('Category', categories, 'categories'),
    locales: (locales ?? []).map(readLocale),
    minUsers: minUsers ?? null,
    isExperimental: isExperimental ?? null,
    createdSince: createdSince ?? null,
    updatedSince: updatedSince ?? null,
  };
}

function readLocale(code: string): string {
  const locale = canonicalLocale(code);
  if (locale === null) {
    throw refusedField('locales', message('parameter.unknown_locale', { name: 'locales', value: printable(code) }));
  }
  return locale;
}

/**
 * Loads the add-ons of edges. Add-ons hidden after the page was read are missing, so a page may be short; its page info does
 * not change.
 */
async function loadEdges(edges: readonly { cursor: string; node: { id: number } }[]) {
  const documents = await loadPublicDocuments(edges.map(({ node }) => node.id));
  return edges.flatMap(({ cursor, node }): { cursor: string; node: AddonDocument }[] => {
    const document = documents.get(node.id);
    return document === undefined ? [] : [{ cursor, node: document }];
  });
}

builder.queryField('addons', (t) =>
  t.connection(
    {
      type: Addon,
      description:
        'The public catalogue in the order of ids. New add-ons come last; paging never repeats or skips an existing one.',
      args: { filter: t.arg({ type: AddonFilter }) },
      resolve: async (_root, { filter, ...cursors }, { locale }) => {
        const filters = readFilters(filter ?? {}, locale);
        const { edges, pageInfo } = await keysetConnection('addons', cursors, (page) => cataloguePage(filters, page));
        return { edges: await loadEdges(edges), pageInfo, totalCount: () => countCatalogue(filters) };
      },
    },
    AddonConnection,
  ),
);
