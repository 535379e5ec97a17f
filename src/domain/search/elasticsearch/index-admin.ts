/*
 * The few things that are done to a whole index of the search server.
 */
import { config } from '../../../config.ts';
import { askSearchServer, askWhetherThere, type Question } from '../../../infra/search-server/ask.ts';
import { readAlias, writeAlias } from './index-list.ts';
import { IN_SERVICE, type IndexMake, newIndex } from './index-schema.ts';

const deadline = () => AbortSignal.timeout(config.SEARCH_WRITE_TIMEOUT_MS);
const ask = <Answer>(question: Omit<Question, 'deadline'>) =>
  askSearchServer<Answer>({ ...question, deadline: deadline() });
const askMaybe = <Answer>(path: string, query: Question['query'] = {}) =>
  askWhetherThere<Answer>({ method: 'GET', path, query, deadline: deadline() });

type Aliases = Record<string, { aliases: Record<string, unknown> }>;

/** The indexes of this installation that are there, with their aliases. */
export async function presentIndexes(): Promise<Map<string, string[]>> {
  const found = (await askMaybe<Aliases>(`/${config.SEARCH_INDEX}_*/_alias`)) ?? {};
  const ours = Object.entries(found).filter(([name]) => OWN_NAME.test(name.slice(config.SEARCH_INDEX.length)));
  return new Map(ours.map(([name, { aliases }]) => [name, Object.keys(aliases ?? {})]));
}

const OWN_NAME = /^_[0-9a-f]{8}_\d{17}$/;

/** Makes an empty index with a name of its own, which is written through its alias. */
export async function createIndex(make: IndexMake): Promise<string> {
  const time = new Date().toISOString().replace(/\D/g, '');
  const name = `${config.SEARCH_INDEX}_${make.schemaHash}_${time}`;
  await ask({ method: 'PUT', path: `/${name}`, body: { ...newIndex(make), aliases: { [writeAlias(name)]: {} } } });
  return name;
}

/** Removes an index, if it is there. */
export async function removeIndex(name: string): Promise<void> {
  await askWhetherThere({ method: 'DELETE', path: `/${name}`, deadline: deadline() });
}

/** Makes what was written findable. */
export async function refreshIndex(name: string): Promise<void> {
  await ask({ method: 'POST', path: `/${name}/_refresh` });
}

/** Gives an index the settings that it is searched with. */
export async function putInService(name: string): Promise<void> {
  await ask({ method: 'PUT', path: `/${name}/_settings`, body: IN_SERVICE });
}

/** Has an index searched from now on, in place of any other, at one moment. */
export async function moveReadAlias(name: string): Promise<void> {
  const alias = readAlias();
  const holders = Object.keys((await askMaybe<Aliases>(`/_alias/${alias}`)) ?? {}).filter((each) => each !== name);
  const actions = [...holders.map((index) => ({ remove: { index, alias } })), { add: { index: name, alias } }];
  await ask({ method: 'POST', path: '/_aliases', body: { actions } });
}

type Blocked = Record<string, { settings: { index: { blocks?: Record<string, string> } } }>;

/** Whether the index that is searched takes changes at present; also when there is none. */
export async function takesChanges(): Promise<boolean> {
  const query = { filter_path: '*.settings.index.blocks' };
  const found = (await askMaybe<Blocked>(`/${readAlias()}/_settings`, query)) ?? {};
  return !Object.values(found).some(({ settings }) => Object.values(settings?.index?.blocks ?? {}).includes('true'));
}
