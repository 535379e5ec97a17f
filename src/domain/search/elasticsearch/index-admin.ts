import { config } from '../../../config.ts';
import {
  type ServerRequest,
  sendOptionalRequest,
  sendSearchRequest,
} from '../../../infra/search-server/send-request.ts';
import { readAlias, writeAlias } from './index-list.ts';
import { IN_SERVICE, type IndexMake, newIndex } from './index-schema.ts';

const deadline = () => AbortSignal.timeout(config.SEARCH_WRITE_TIMEOUT_MS);
const send = <Result>(request: Omit<ServerRequest, 'deadline'>) =>
  sendSearchRequest<Result>({ ...request, deadline: deadline() });
const readOptional = <Result>(path: string, query: ServerRequest['query'] = {}) =>
  sendOptionalRequest<Result>({ method: 'GET', path, query, deadline: deadline() });

type Aliases = Record<string, { aliases: Record<string, unknown> }>;

/** Existing indexes of this installation, with their aliases. */
export async function presentIndexes(): Promise<Map<string, string[]>> {
  const found = (await readOptional<Aliases>(`/${config.SEARCH_INDEX}_*/_alias`)) ?? {};
  const ours = Object.entries(found).filter(([name]) => OWN_NAME.test(name.slice(config.SEARCH_INDEX.length)));
  return new Map(ours.map(([name, { aliases }]) => [name, Object.keys(aliases ?? {})]));
}

const OWN_NAME = /^_[0-9a-f]{8}_\d{17}$/;

/** Creates an empty index with a unique name and a write alias. */
export async function createIndex(make: IndexMake): Promise<string> {
  const time = new Date().toISOString().replace(/\D/g, '');
  const name = `${config.SEARCH_INDEX}_${make.schemaHash}_${time}`;
  await send({ method: 'PUT', path: `/${name}`, body: { ...newIndex(make), aliases: { [writeAlias(name)]: {} } } });
  return name;
}

/** Deletes an index if it exists. */
export async function removeIndex(name: string): Promise<void> {
  await sendOptionalRequest({ method: 'DELETE', path: `/${name}`, deadline: deadline() });
}

/** Refreshes an index, so that earlier writes are searchable. */
export async function refreshIndex(name: string): Promise<void> {
  await send({ method: 'POST', path: `/${name}/_refresh` });
}

/** Applies the settings of a searched index. */
export async function putInService(name: string): Promise<void> {
  await send({ method: 'PUT', path: `/${name}/_settings`, body: IN_SERVICE });
}

/** Moves the search alias to an index, atomically. */
export async function moveReadAlias(name: string): Promise<void> {
  const alias = readAlias();
  const holders = Object.keys((await readOptional<Aliases>(`/_alias/${alias}`)) ?? {}).filter((each) => each !== name);
  const actions = [...holders.map((index) => ({ remove: { index, alias } })), { add: { index: name, alias } }];
  await send({ method: 'POST', path: '/_aliases', body: { actions } });
}

type Blocked = Record<string, { settings: { index: { blocks?: Record<string, string> } } }>;

/** Whether the live index accepts writes; true when there is none. */
export async function takesChanges(): Promise<boolean> {
  const query = { filter_path: '*.settings.index.blocks' };
  const found = (await readOptional<Blocked>(`/${readAlias()}/_settings`, query)) ?? {};
  return !Object.values(found).some(({ settings }) => Object.values(settings?.index?.blocks ?? {}).includes('true'));
}
