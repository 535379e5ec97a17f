import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type PothosTypeConfig,
  type SchemaTypes,
} from '@pothos/core';
import { PAGE_SIZE } from './query-cost.ts';

/** Name of the plugin, for the list of plugins of the builder. */
export const DEFAULT_DESCRIPTIONS = 'defaultDescriptions' as const;

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      defaultDescriptions: DefaultDescriptionsPlugin<Types>;
    }
  }
}

type Descriptions = readonly (readonly [RegExp, string])[];

const TYPES: Descriptions = [
  [/^Query$/, 'Reads. No query has a side effect.'],
  [/^Mutation$/, 'Changes. Each has one input, and a result that is its payload or an expected failure.'],
  [/^Subscription$/, 'Events, sent as server-sent events.'],
  [/^Node$/, 'An object with a global id, which `node` looks up.'],
  [/^PageInfo$/, 'The position of a page in its list.'],
  [/Connection$/, 'A page of a list.'],
  [/Edge$/, 'An item of a page, with its cursor.'],
  [/Facet$/, 'A value, and the number of results that have it.'],
  [/^InvalidInputError$/, 'The value of an input field cannot be used.'],
  [/^NotFoundError$/, 'The object does not exist, or the viewer may not see it.'],
  [/^NotPermittedError$/, 'The viewer may not make this change.'],
  [/^PackageError$/, 'The uploaded package cannot be read, or breaks a rule for packages.'],
  [/^VersionExistsError$/, 'The add-on has a version with this number already.'],
];

/** By `Type.field`. */
const FIELDS: Descriptions = [
  [/Connection\.edges$/, 'Items of the page, with their cursors.'],
  [/Connection\.nodes$/, 'Items of the page.'],
  [/Connection\.pageInfo$/, 'Position of the page in the list.'],
  [/Connection\.totalCount$/, 'Number of items of all pages.'],
  [/Edge\.cursor$/, 'Position of the item, for `after` and `before`.'],
  [/Edge\.node$/, 'The item.'],
  [/Facet\.count$/, 'Number of results with this value.'],
  [/Facet\.value$/, 'The value.'],
  [
    /^PageInfo\.startCursor$/,
    'Cursor of the first item, for `before`. On an empty page the cursor of the request, empty without one.',
  ],
  [
    /^PageInfo\.endCursor$/,
    'Cursor of the last item, for `after`. On an empty page the cursor of the request, empty without one.',
  ],
  [/^PageInfo\.hasNextPage$/, 'Whether items follow this page.'],
  [/^PageInfo\.hasPreviousPage$/, 'Whether items precede this page.'],
  [/Error\.message$/, 'Explanation for developers, in English unless a client needs to show it.'],
  [/^InvalidInputError\.fields$/, 'The input fields at fault, with their messages.'],
  [/^FieldError\.name$/, 'Name of the input field.'],
  [/^FieldError\.messages$/, 'What is wrong with its value.'],
  [/Payload\.addon$/, 'The add-on after the change.'],
  [/\.id$/, 'Global id, unique among all types.'],
];

/** The rule for the size of a page. */
const SIZES = `from 1 to ${PAGE_SIZE.max}; other numbers are refused with BAD_USER_INPUT.`;

/** By `field(argument)`. */
const ARGUMENTS: Descriptions = [
  [/\(first\)$/, `Number of items from the start, ${SIZES} Default: ${PAGE_SIZE.default}.`],
  [/\(last\)$/, `Number of items from the end, ${SIZES} Not together with first.`],
  [/\(after\)$/, 'Cursor of the item before the page.'],
  [/\(before\)$/, 'Cursor of the item after the page.'],
  [
    /\(page\)$/,
    'Page number from 1; smaller numbers are refused with BAD_USER_INPUT. A page past the end is empty and has the counts of the whole list. Default: 1.',
  ],
  [/\(pageSize\)$/, `Items per page, ${SIZES} Default: ${PAGE_SIZE.default}.`],
  [/\(filter\)$/, 'Conditions that all items meet. Default: none.'],
  [/\(sort\)$/, 'Order of the results, the most important key first.'],
  [/^autocomplete\(q\)$/, 'What the user has typed, at most 100 characters.'],
  [/\(lang\)$/, 'Language of the text, such as `pt-BR`. Default: the language of the request.'],
  [
    /\(wrapLinks\)$/,
    'Whether links to other sites lead through the outgoing-link host of this service: in HTML each link, in an address the whole value. Other texts stay as they are. Default: false.',
  ],
  [/^node\(id\)$/, 'The global id.'],
];

const describe = (name: string, descriptions: Descriptions) =>
  descriptions.find(([pattern]) => pattern.test(name))?.[1];

/** Describes what plugins generate and what has the same meaning everywhere, unless its declaration does. */
class DefaultDescriptionsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onTypeConfig(config: PothosTypeConfig): PothosTypeConfig {
    return { ...config, description: config.description ?? describe(config.name, TYPES) };
  }

  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    return { ...config, description: config.description ?? describe(`${config.parentType}.${config.name}`, FIELDS) };
  }

  override onInputFieldConfig(config: PothosInputFieldConfig<Types>): PothosInputFieldConfig<Types> {
    if (config.kind !== 'Arg') return config;
    return {
      ...config,
      description: config.description ?? describe(`${config.parentField}(${config.name})`, ARGUMENTS),
    };
  }
}

// Test files of one process evaluate this module again, while the library keeps its registry.
SchemaBuilder.allowPluginReRegistration = true;
SchemaBuilder.registerPlugin(DEFAULT_DESCRIPTIONS, DefaultDescriptionsPlugin);
