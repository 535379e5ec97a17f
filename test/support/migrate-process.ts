import { migrate } from '../../src/infra/migrations/migrate.ts';

/** Migrates the database of the first argument with the files below the folder of the second. */
const [url = '', directory = ''] = process.argv.slice(2);
await migrate(url, { directory });
