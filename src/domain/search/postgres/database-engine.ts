import { admitSearch, searchRows } from '../../../infra/db.ts';
import { type DatabaseEngine, postgresEngine } from './postgres-engine.ts';

const engine = postgresEngine(searchRows);

/** The engine on this process's database. Each method throws what `admitSearch` throws. */
export const databaseEngine: DatabaseEngine = {
  search: (request, slice) => admitSearch(() => engine.search(request, slice)),
  autocomplete: (request) => admitSearch(() => engine.autocomplete(request)),
  facets: (request) => admitSearch(() => engine.facets(request)),
  suggestQuery: (request, count) => admitSearch(() => engine.suggestQuery(request, count)),
};
