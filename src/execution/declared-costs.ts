import { isObjectType } from 'graphql';
import type { DeclaredCost } from '../graphql/query-cost.ts';
import { publicSchema } from './schema.ts';

/** The public fields that declare a cost or a number of items, as `Type.field`. */
export function declaredCosts(): (DeclaredCost & { name: string })[] {
  const types = Object.values(publicSchema.getTypeMap()).filter((type) => isObjectType(type));
  return types.flatMap((type) =>
    Object.values(type.getFields()).flatMap(({ name, extensions }) => {
      const { cost, items } = extensions as DeclaredCost;
      return cost === undefined && items === undefined ? [] : [{ name: `${type.name}.${name}`, cost, items }];
    }),
  );
}
