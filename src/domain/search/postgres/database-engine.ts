import { searchRows, withSearchSlot } from '../../../infra/db.ts';
import { type DatabaseEngine, postgresEngine } from './postgres-engine.ts';

const engine = postgresEngine(searchRows);

/** The engine on this process's database. Each method throws what `withSearchSlot` throws. */
export const databaseEngine: DatabaseEngine = {
  search: (request, slice) => withSearchSlot(() => engine.search(request, slice)),
  autocomplete: (request) => withSearchSlot(() => engine.autocomplete(request)),
  facets: (request) => withSearchSlot(() => engine.facets(request)),
  suggestQuery: (request, count) => withSearchSlot(() => engine.suggestQuery(request, count)),
};
