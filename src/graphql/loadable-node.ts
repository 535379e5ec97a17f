import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { databaseId } from './global-id.ts';
import { perRequest } from './per-request.ts';

/**
 * A node type: where a field of this type gives an id, the object is loaded. `load` answers in the order of the ids, with an
 * error in place of what the viewer may not see.
 */
export function loadableNode<Shape extends { id: number }>(
  name: string,
  load: (ids: readonly number[], context: Context) => Promise<(Shape | Error)[]>,
) {
  const id = {
    resolve: (shape: Shape) => shape.id,
    parse: databaseId,
  };
  const node = builder.loadableNodeRef<Shape, number>(name, { id, load });
  // The plugin asks for the loader with every field of the type, most of which give objects. Its own is in a weak map.
  const getDataloader = perRequest(load);
  node.updateConfig((config) => ({ ...config, extensions: { ...config.extensions, getDataloader } }));
  /** The object with this id, or null for who may not see it. */
  const loadOrNull = (context: Context, key: number): Promise<Shape | null> =>
    getDataloader(context)
      .load(key)
      .catch(() => null);
  return Object.assign(node, { getDataloader, loadOrNull });
}
