import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { Context } from './context.ts';
import { forgetLoaded } from './per-request.ts';

/** Name of the plugin, for the list of plugins of the builder. */
export const FRESH_PAYLOADS = 'freshPayloads' as const;

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      freshPayloads: FreshPayloadsPlugin<Types>;
    }
  }
}

/**
 * Clears the loaders of a request after each mutation, before its payload is resolved: a mutation may change everything that
 * an earlier mutation of the request, or its own checks, have loaded.
 */
class FreshPayloadsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (config.parentType !== 'Mutation') return resolver;
    return async (root, args, context, info) => {
      try {
        return await resolver(root, args, context, info);
      } finally {
        forgetLoaded(context as Context);
      }
    };
  }
}

// Test files of one process evaluate this module again, while the library keeps its registry.
SchemaBuilder.allowPluginReRegistration = true;
SchemaBuilder.registerPlugin(FRESH_PAYLOADS, FreshPayloadsPlugin);
