import { Buffer } from 'node:buffer';

/** A header of a tar archive and its content. */
export interface TarEntry {
  name: string | Buffer;
  content?: string | Buffer;
  /** `0` is a file, `1` a hard link, `2` a symbolic link, `5` a folder. */
  type?: string;
  link?: string;
  prefix?: string;
  /** The size in the header, if it is not that of the content. */
  size?: number;
  /** Added to the correct checksum. */
  checksumError?: number;
}

const END = Buffer.alloc(1024);

/** Writes a tar archive without any checks, with the given flaws. `end` is what follows the last entry. */
export function rawTar(entries: readonly TarEntry[], end: Buffer = END): Buffer {
  return Buffer.concat([...entries.flatMap(entryParts), end]);
}

function entryParts(entry: TarEntry): Buffer[] {
  const content = Buffer.from(entry.content ?? '');
  const header = Buffer.alloc(512);
  Buffer.from(entry.name).copy(header, 0, 0, 100);
  header.write('0000644\0', 100);
  header.write((entry.size ?? content.length).toString(8).padStart(11, '0'), 124);
  header.write(entry.type ?? '0', 156);
  header.write(entry.link ?? '', 157, 100);
  header.write('ustar\x0000', 257);
  header.write(entry.prefix ?? '', 345, 155);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, entry.checksumError ?? 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
}

/** A record of an extended header. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (length !== Buffer.byteLength(`${length}${rest}`)) length = Buffer.byteLength(`${length}${rest}`);
  return `${length}${rest}`;
}

/** Number of files in the archives below. */
export const PACKED_FILES = 5;

/** A pax archive as the modules tarfile and bz2 of Python write it: several blocks of 100 kB, runs, and each byte. */
export const BZIP2 = Buffer.from(
  'QlpoMTFBWSZTWdXBqqEAwI3/////////////////////////////////////////////wALcAAAEmAAmAAJgAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
    'AAAAAAAAAkwAEwABMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEmAAmAAJgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFUkVHplT9FPR' +
    'kTRtNT0QBkNBieFGj1NAaNMgAaaADTEGT9SaDagNAAANAAADQAAAAAGgADQDIGmagxNNBwipUnwURKtkECJqAEEaOJWdnaa9kytJyRRK8kUYiIgR' +
    'cyiZdiQu5KgSri615OXgpF5NivRKILwaWaYXssC+FiaaWRfS/GnGnmoGompGpmqGql/MAasWJq5rBgTWTWjWzXDBGRIYQRrpZloWpbFotsdr5Irj' +
    'AmElEQvJbzW8iFtIhi8ZKVAMMkXTDEp1GaCa1kWuwbDdVMlWQmnokiaaeGFplDSSjdKNUTmxmyF7IbKWxsxs5tBhzaTajEG1mJMUbYbabcbebgbi' +
    'bkbmbobqbsYsvzdy/kzGGAN4N5N6N7N8N9N+KW/nAHAk5g7nIREQQIiGOJVMeZBEIQIiGFVXB48kQhAiIZIhK3IQgREKRcUuGMiZInIcOUVZpBWU' +
    'yFQxJW5MoRdzDldxBlCrMQV/ElZQnqWN2ynFFWZWmXFSILKcvVkWBSMqTXBfKZYVZfTjTjjjzkDkTkjLHJnKHKnLHLnMHMnNHNnOHOnPHPnQHQnR' +
    'HRnSHSmXOmOnOoOpOqOrOsOtOuOvOwOxOyOzO0O1O2O3O4O5O6Mwd2d4d6d8d+eAeCeEeGeIeKeMeOeQeSeUeWeYeaeceeegeiekemeoeqeseuew' +
    'eye0e2e4e6e8Zk98+A+E+I+M+Q+U+Y+c+g+k+o+s+wzR9p9x95+B+J+R+ZmzOH6H6n7H7n8GdP5M8Z8y65JZYz5/R/Z/h/poCqiCBGhNCaI/40Z/' +
    '5igrJMprJX+UMuASTpAgB4AEAAgKUAzTTqEoLKEoLaEoLeoSgvMUFZJlNZButp5QAWql+Uz5DAAf9CwEBRAH5BXkQAIAgACAgwALtBhoZDTJoBiG' +
    'mmjQ0YNTSBoADJo0AAAIqQmQ0aGmgA0AwJifLaPMCSeAhJKoshKTbYBVTQSzAsB4wb4xwvEpxIlIFizgwQCAMFYtGAhJbHfkHuYdpUQcfbg4qaTl' +
    'LXCwgd1EUBSuy8u+2AooCloKKApcCigKRW5ppxjt7zzGBgRYGTtHsxAT8qG+NU/i7kinChIAwpAJgA==',
  'base64',
);

/** The same archive as two concatenated streams of different levels. */
export const BZIP2_STREAMS = Buffer.from(
  'QlpoMTFBWSZTWUeN0PsAA7D/////////////////////////////////////////////wAKcAAASYACYAAmAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
    'AAAAAAAACTAATAAEwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAASYACYAAmAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSU1RtT0j1Gm' +
    'UwnlMnpAGRkB6np6k02poDRiA0aM1AABo2UzUG1AxMgA0A0ABoAaaBoADRkAaDQAABkDagxNMcs9NssSkuc5EAnW8ggamK6vwWQiimiRPi6xKLgg' +
    'gW0onXMki6EqYlUF1J0VJQKo2u7Eogqi7l4LyaqVZWGrF6L2auVpfDWDWTWjWzXDXTXjXy+l8i/GwGwl/MAbEbGbIY8hswjZyuNoK8wJXsDSOKip' +
    'jARXSgXaJYSURFKURGMWNvIsJRbrAmYWYTqUilNQJXEnYWfEiUxg6eKaiWE+eTjbDbSrIbcYI283A3EwxuRuZhzEGJN0N1N2N3N4N5MUb0b2Ys3w' +
    '30xhWsaX0nWJfjfjfzgDgTgjgzhChwpwxw5NHEFnaRxZtKlxMcYWRDCGOLWhx5jyyJiFmUFGnKNRciHIGJKjIE+KkwxVZEtCjGHjVORKNNNWTWnJ' +
    'RTlwi1sogtpi9xVk8yRalZypebiVpyxy5zBzJkzKGVOaMsZc5s5w5054586A6E6I6M6QzB0p0x051B1J1R1ZmTrDrTrjrzsDsTsjsztDtTtjtzNH' +
    'cHcndHdneHenfHfngGbPBM4eEeGeIeKeMZ08c8g8k8o8s8w8084889A9E9Izx6Z6hnzQHqnrHrnsHsntHtnuGhPdPePfPgNEfCfEfGfIfKfMfOfQ' +
    'fSfUfWfYfafcfefgfifkfmfoaM0h+p+x+5/B/JpTMWxLKGlP6P7P8P9NMTxAac05qD/jUn/i7kinChII8bofYEJaaDkxQVkmU1nvIIb2AAEVX7Tv' +
    'kMAB/8LAQFMAfkFeRAEAACAIAAgIMADZoMAaaGjRiMgGgA0MGhFDT0Q0aYEwaCYJhBFKZSbQamg2hDTCMB6ho8HHnT2N96piyEQnAoq+taoiBl9D' +
    'A4i2IgJZrfhkViIgQh+QHeTejto4/W6KqvswOnTUADqSkBEV06yuMgOxgz5U1oOGJI1qKC5R3CGtTBPbj6aHMa7+6ChDP/VUQRF96b3rzogCgiL1' +
    '4QACgiLsABQRFlTDXYMqbcd97XXOWTPhc1/M7LTwAnRUM8hAQPIu5IpwoSHeQQ3s',
  'base64',
);
