import { searchPool } from '../../../infra/db.ts';
import { postgresEngine } from './postgres-engine.ts';

/** The engine on this process's database. */
export const databaseEngine = postgresEngine(async (sql, values) => (await searchPool.query(sql, [...values])).rows);
