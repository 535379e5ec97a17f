import { encodeApplicationVersion } from '../../package/application-version.ts';
import { APPLICATION_IDS, APPLICATIONS, type Application } from '../../package/enums.ts';

/** How far the upper bound of a version counts: always, only where it is strict, or never. */
type CompatMode = 'strict' | 'normal' | 'other';

/** An update check: the parameters of a request that the service reads. */
export interface UpdateCheck {
  /** The id of the add-on, spelled as in the request. */
  id: string;
  app: Application;
  /** The version of the application, encoded by `encodeApplicationVersion`. */
  code: number;
  mode: CompatMode;
  /** Whether the browser sends it by itself, once a day. */
  isPeriodic: boolean;
  /** The installed version, as the browser states it; any text. */
  version: string;
}

/** The part of `updateType` that holds the occasion, and its value for periodic checks. */
const OCCASION = { mask: 31, periodic: 16 } as const;

/** The applications by id, in lower case. */
const APPLICATION_BY_GUID = new Map(APPLICATIONS.map((app) => [APPLICATION_IDS[app].guid as string, app]));

/**
 * Reads the query of an update check, without the question mark. Of repeated parameters the last one counts; a missing
 * `compatMode` means strict.
 * @returns null when `id`, `appID` or `appVersion` is missing or empty, `appID` is unknown, or `appVersion` is no version
 */
export function readUpdateCheck(query: string): UpdateCheck | null {
  const { id, appID, appVersion, compatMode, updateType, version } = readParameters(query);
  if (id === '' || appID === '' || appVersion === '') return null;
  const app = APPLICATION_BY_GUID.get(appID.toLowerCase());
  const code = codeOf(appVersion);
  if (app === undefined || code === null) return null;
  const mode = compatMode === 'strict' || compatMode === 'normal' ? compatMode : 'other';
  const isPeriodic = /^\d{1,9}$/.test(updateType) && (Number(updateType) & OCCASION.mask) === OCCASION.periodic;
  return { id, app, code, mode, isPeriodic, version };
}

const ABSENT = { id: '', appID: '', appVersion: '', compatMode: 'strict', updateType: '', version: '' };
type Parameters = typeof ABSENT;

const isRead = (name: string): name is keyof Parameters => Object.hasOwn(ABSENT, name);

/** The read parameters. Faster than `URLSearchParams`, which decodes the others too. */
function readParameters(query: string): Parameters {
  const values = { ...ABSENT };
  for (let start = 0; start <= query.length; ) {
    const next = query.indexOf('&', start);
    const end = next < 0 ? query.length : next;
    const equals = query.indexOf('=', start);
    const nameEnd = equals < 0 || equals > end ? end : equals;
    const name = decode(query.slice(start, nameEnd));
    if (isRead(name)) values[name] = decode(query.slice(nameEnd + 1, end));
    start = end + 1;
  }
  return values;
}

/** Decodes form encoding; invalid escapes stay, as in `URLSearchParams`. */
function decode(text: string): string {
  const hasPlus = text.includes('+');
  if (!hasPlus && !text.includes('%')) return text;
  try {
    return decodeURIComponent(hasPlus ? text.replaceAll('+', ' ') : text);
  } catch {
    return new URLSearchParams(`v=${text}`).get('v') ?? '';
  }
}

const MAX_VERSION_LENGTH = 32;

/** The code of the version that an application reports; null for a text that is none, and for ranges such as `57.*`. */
function codeOf(version: string): number | null {
  return version.length > MAX_VERSION_LENGTH || version.includes('*') ? null : encodeApplicationVersion(version);
}
