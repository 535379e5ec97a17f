import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { databaseId } from './global-id.ts';
import { perRequest } from './per-request.ts';

/**
 * A node type: if a field of this type resolves to an id, the object is loaded. `load` returns objects in the order of the ids,
 * with an error instead of an object that the viewer may not see.
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
  // The plugin gets the loader for every field of the type. Its own loader is in a weak map, which is slower.
  const getDataloader = perRequest(load);
  node.updateConfig((config) => ({ ...config, extensions: { ...config.extensions, getDataloader } }));
  /** The object with this id; null without an id, and if the viewer may not see it. */
  const loadOrNull = async (context: Context, key: number | null): Promise<Shape | null> =>
    key === null
      ? null
      : getDataloader(context)
          .load(key)
          .catch(() => null);
  return Object.assign(node, { getDataloader, loadOrNull });
}
