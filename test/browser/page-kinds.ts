import { pages } from '../../src/pages/table.ts';
import { pageFinder } from '../support/find-in-table.ts';

const findPage = pageFinder(pages);

/** The page that a path opens, as its row in the table names it. Other addresses: their first two segments and file extension. */
export function kindOfPage(path: string): string {
  const found = findPage(path);
  if (found !== null) return found.row.path;
  const segments = path.split('/').filter(Boolean);
  return `${segments.slice(0, path.startsWith('/api/') ? 4 : 2).join('/')} ${/\.\w+$/.exec(path)?.[0] ?? ''}`;
}
