import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The folder of the project. */
export const ROOT = join(import.meta.dirname, '../..');

/** A source file and its imports. */
export interface Source {
  /** From the root, with forward slashes. */
  path: string;
  text: string;
  imports: Import[];
}

/** A static import, a re-export or a dynamic import. */
export interface Import {
  /** A file from the root, or the name of a package. */
  target: string;
  kind: 'file' | 'package';
  typeOnly: boolean;
  dynamic: boolean;
}

const IMPORT = /^(?:import|export)\s+(type\s+)?(?:[\w*{][^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].flatMap(([, type, fixed, dynamic]): Import[] => {
    const name = fixed ?? dynamic ?? '';
    if (name.startsWith('node:')) return [];
    const facts = { typeOnly: type !== undefined, dynamic: dynamic !== undefined };
    if (name.startsWith('.')) return [{ target: join(dirname(path), name), kind: 'file', ...facts }];
    const target = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
    return [{ target, kind: 'package', ...facts }];
  });
}

/** Whether a path is one of these files, or in one of these folders, which end with a slash. */
export const isIn = (path: string, places: readonly string[]): boolean =>
  places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));

/** The TypeScript files of a folder, except generated ones. */
export function readSources(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('src/generated/'))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

/** Every file that `entry` imports, directly or indirectly, statically or dynamically. */
export function reachableFrom(entry: string, sources: readonly Source[]): Set<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const open = [entry];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    open.push(...(byPath.get(path)?.imports ?? []).filter(({ typeOnly }) => !typeOnly).map(({ target }) => target));
  }
  return reached;
}

/** Cycles of imports, those of types and on demand included, found by depth-first search, each as the list of its files. */
export function cyclesOf(sources: readonly Source[]): string[] {
  const graph = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) {
      cycles.push([...way.slice(way.indexOf(file)), file].join(' → '));
      return;
    }
    if (finished.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...way, file]);
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}
