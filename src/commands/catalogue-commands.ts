import { type Command, type CommandOption, JSON_OUTPUT } from './command.ts';

const FEATURED_PLACE: Record<string, CommandOption> = {
  app: { value: 'KEY', required: true, description: 'desktop_browser, mobile_browser, suite_app or mail_client.' },
  locale: { value: 'L', description: 'A language; all by default.' },
  category: { value: 'SLUG', description: 'A category; outside of categories by default.' },
};

const NAMES: CommandOption = {
  value: 'LANGUAGE=TEXT',
  repeatable: true,
  description: 'A name; without a text, it is deleted.',
};

/** Commands of the catalogue and its reference data. */
export const catalogueCommands: Command[] = [
  {
    name: 'featured add',
    summary: 'Features an add-on, named by id, slug or guid.',
    arguments: ['ADDON'],
    options: FEATURED_PLACE,
    load: async () => (await import('./discovery.ts')).addFeatured,
  },
  {
    name: 'featured remove',
    summary: 'Removes an add-on from the featured ones.',
    arguments: ['ADDON'],
    options: FEATURED_PLACE,
    load: async () => (await import('./discovery.ts')).removeFeatured,
  },
  {
    name: 'replacement',
    summary: 'Sets the replacement of a legacy add-on; without path and guids, removes it.',
    arguments: ['GUID'],
    options: {
      path: { value: 'P', description: '/addon/<slug>/, /collections/<path>/ or an address.' },
      by: { value: 'GUID', repeatable: true, description: 'A replacement, the best first.' },
    },
    load: async () => (await import('./discovery.ts')).changeReplacement,
  },
  {
    name: 'override',
    summary: 'Sets the compatibility override of an add-on; without ranges, removes it.',
    arguments: ['GUID'],
    options: {
      name: { value: 'TEXT', description: 'For administrators.' },
      range: {
        value: 'RANGE',
        repeatable: true,
        description: "Versions of the add-on, an application, versions of that: '1.0..1.5 desktop_browser 40.0..*'.",
      },
    },
    load: async () => (await import('./discovery.ts')).changeOverride,
  },
  {
    name: 'recommendation-fallback',
    summary: 'Replaces the curated list, the fallback of recommendations.',
    options: { guid: { value: 'GUID', repeatable: true, description: 'An add-on of the list, the best first.' } },
    load: async () => (await import('./discovery.ts')).changeFallback,
  },
  {
    name: 'discovery',
    summary: 'Replaces what the add-ons manager of browsers recommends by a JSON file: edition, locale, entries.',
    arguments: ['FILE'],
    load: async () => (await import('./discovery-lists.ts')).changeDiscovery,
  },
  {
    name: 'hero',
    summary: 'Replaces what the home pages of front ends begin with by a JSON file: entries, secondary.',
    arguments: ['FILE'],
    load: async () => (await import('./discovery-lists.ts')).changeHero,
  },
  {
    name: 'browser-mappings',
    summary: 'Replaces the add-ons for the extensions of a browser by a JSON file: an object of guids by extension id.',
    arguments: ['BROWSER', 'FILE'],
    load: async () => (await import('./discovery-lists.ts')).changeBrowserMappings,
  },
  {
    name: 'import',
    summary:
      'Imports a catalogue: JSON Lines from a file, compressed with gzip when its name ends in .gz, or from standard input (-); or a tar archive (.tar, .tar.gz, .tar.zst) of catalogue.jsonl and the files that it names.',
    arguments: ['FILE'],
    options: {
      'skip-bad': { description: 'Import the other lines when some are bad, instead of nothing.' },
      'create-groups': { description: 'Create missing groups that accounts name, without permissions.' },
      json: JSON_OUTPUT,
    },
    load: async () => (await import('./import.ts')).runImport,
  },
  {
    name: 'export',
    summary:
      'Exports the catalogue in the format of `import`: to a file, compressed with gzip when its name ends in .gz, or to standard output (-).',
    arguments: ['FILE'],
    options: {
      files: { value: 'FOLDER', description: 'Copy packages and pictures to this folder, relative to FILE.' },
      json: JSON_OUTPUT,
    },
    load: async () => (await import('./export.ts')).runExport,
  },
  {
    name: 'appversion add',
    summary: 'Adds a known version of an application.',
    arguments: ['APP', 'VERSION'],
    load: async () => (await import('./reference.ts')).addVersionCommand,
  },
  {
    name: 'appversion list',
    summary: 'Prints the known versions of an application, the lowest first.',
    arguments: ['APP'],
    load: async () => (await import('./reference.ts')).listVersions,
  },
  {
    name: 'category list',
    summary: 'Prints the categories of an application and a type of add-ons, with weights and names.',
    arguments: ['APP', 'TYPE'],
    load: async () => (await import('./reference.ts')).printCategories,
  },
  {
    name: 'category set',
    summary: 'Creates a category, or changes its names and weight.',
    arguments: ['APP', 'TYPE', 'SLUG'],
    options: { name: NAMES, weight: { value: 'N', description: 'Categories with a higher weight come first.' } },
    load: async () => (await import('./reference.ts')).changeCategory,
  },
  {
    name: 'category delete',
    summary: 'Deletes a category without add-ons.',
    arguments: ['APP', 'TYPE', 'SLUG'],
    load: async () => (await import('./reference.ts')).removeCategory,
  },
  {
    name: 'license list',
    summary: 'Prints the built-in licences with their names.',
    load: async () => (await import('./reference.ts')).printLicenses,
  },
  {
    name: 'license set',
    summary: 'Creates a built-in licence, or changes its names, texts and URL.',
    arguments: ['SPDX'],
    options: {
      name: NAMES,
      text: {
        value: 'LANGUAGE=FILE',
        repeatable: true,
        description: 'A text, which may hold HTML; without a file, it is deleted.',
      },
      url: { value: 'URL', description: 'Where to read it; an empty value removes it.' },
    },
    load: async () => (await import('./reference.ts')).changeLicense,
  },
  {
    name: 'license delete',
    summary: 'Deletes an unused built-in licence.',
    arguments: ['SPDX'],
    load: async () => (await import('./reference.ts')).removeLicense,
  },
  {
    name: 'statistics import',
    summary:
      'Stores daily users and downloads from a CSV or JSON Lines file, and updates the catalogue; - is standard input.',
    arguments: ['FILE'],
    options: {
      'skip-bad': { description: 'Skip invalid lines and print them.' },
      json: JSON_OUTPUT,
    },
    load: async () => (await import('./statistics.ts')).importStatisticsFile,
  },
  {
    name: 'reindex',
    summary: 'Rebuilds the index on the search server while the current one is searched.',
    options: {
      'roll-back': { description: 'Return to the previous index instead.' },
      rows: {
        description: "Analyse all add-ons again for PostgreSQL's search instead, while the present rows are searched.",
      },
    },
    load: async () => (await import('./reindex.ts')).runReindex,
  },
];
