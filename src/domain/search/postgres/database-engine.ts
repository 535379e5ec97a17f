import { searchPool } from '../../../infra/db.ts';
import { postgresEngine } from './postgres-engine.ts';

/** The search engine of this process's database. */
export const databaseEngine = postgresEngine(async (sql, values) => (await searchPool.query(sql, [...values])).rows);
