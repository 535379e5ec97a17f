import { db } from '../../infra/db.ts';

const LARGEST = 6;

interface Sizes {
  database: string;
  largest: { name: string; size: string }[];
  packages: number;
  bytes: string;
}

/** The size of the database, its largest tables with their indexes and partitions, and the packages, as text. */
export async function describeSizes(): Promise<string> {
  const [sizes] = await db.$queryRaw<Sizes[]>`
    WITH sizes AS (
      SELECT coalesce(parent.relname, c.relname)::text AS name, sum(pg_total_relation_size(c.oid)) AS size
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class parent ON parent.oid = i.inhparent
      WHERE c.relkind = 'r' AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
      GROUP BY 1 ORDER BY 2 DESC LIMIT ${LARGEST}
    )
    SELECT pg_size_pretty(pg_database_size(current_database())) AS database,
      (SELECT json_agg(json_build_object('name', name, 'size', pg_size_pretty(size)) ORDER BY size DESC) FROM sizes) AS largest,
      packages, pg_size_pretty(bytes) AS bytes
    FROM (SELECT count(*)::int AS packages, coalesce(sum(size), 0) AS bytes FROM file WHERE is_stored) AS stored`;
  if (sizes === undefined) return '';
  const tables = sizes.largest.map(({ name, size }) => `${name} ${size}`).join(', ');
  return `database ${sizes.database}: ${tables}; ${sizes.packages} packages of ${sizes.bytes}`;
}
