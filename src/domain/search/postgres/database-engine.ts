import { searchRows } from '../../../infra/db.ts';
import { postgresEngine } from './postgres-engine.ts';

/** The engine on this process's database. */
export const databaseEngine = postgresEngine(searchRows);
