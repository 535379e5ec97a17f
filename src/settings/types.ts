import { isIP } from 'node:net';
import { resolve } from 'node:path';
import proxyaddr from 'proxy-addr';
import { z } from 'zod';

/** The largest limit of counts per network, whose counters have 16 bits. */
export const MAX_NETWORK_LIMIT = 65_534;

/** Documentation of a setting, for docs/settings.md and `.env.example`. */
export interface SettingMeta {
  description: string;
  /** Can also be read from the file that `<NAME>_FILE` names. */
  secret?: boolean;
  group: string;
}

/** Schemas that settings share. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');

/** The address of a page. */
export const webPage = z.url({ protocol: /^https?$/, hostname: /./, error: 'Expected http://… or https://…' });

const mailAddress = z.email();

/** A way to reach a person: a mail address or a page. */
export const contact = z
  .string()
  .trim()
  .refine(
    (text) => mailAddress.safeParse(text).success || webPage.safeParse(text).success,
    'Expected a mail address, or http://… or https://…',
  );

/** The start of addresses: a path is appended, so it has no query. */
export const url = webPage
  .refine((value) => !/[?#]/.test(value), 'A query or fragment is not allowed')
  .transform((value) => value.replace(/\/+$/, ''));

/** A whole number within inclusive bounds. */
export const count = (min: number, max: number) => {
  const error = `Expected a whole number from ${min} to ${max}`;
  const digits = z
    .string()
    .trim()
    .regex(/^\d{1,10}$/, error);
  return digits.transform(Number).refine((value) => value >= min && value <= max, error);
};

export const share = z.coerce
  .number('Expected a number from 0 to 1')
  .min(0, 'Expected a number from 0 to 1')
  .max(1, 'Expected a number from 0 to 1');

export const dataFolderPath = z
  .string()
  .default('var')
  .transform((path) => resolve(path));

/** A server, or a socket of this machine. */
export const databaseUrl = z
  .string()
  .refine(
    (text) =>
      /^(?:socket:|\/)/.test(text) ||
      (/^postgres(?:ql)?:\/\//i.test(text) && URL.canParse(text.replace('@/', '@host/'))),
    'Expected postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with other characters as %XX',
  );

/** Whether a text is an address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

export const commaList = z
  .string()
  .transform((text) => text.split(',').map((word) => word.trim()))
  .transform((words) => words.filter((word) => word !== ''));

/** Whether the library that applies them accepts these addresses, networks and names of groups of networks. */
function areTrustable(words: readonly string[]): boolean {
  try {
    proxyaddr.compile([...words]);
    return true;
  } catch {
    return false;
  }
}

export const proxyList = commaList.refine(areTrustable, 'Expected addresses and networks such as 192.0.2.0/24');

/** Documents a setting; `group` is a heading of docs/settings.md. */
export const meta = (group: string, description: string, secret = false): SettingMeta => ({
  group,
  description,
  secret,
});
