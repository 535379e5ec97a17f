import { Buffer } from 'node:buffer';
import { type HostileArchive, packageWith, refusedName, UNDECODABLE } from './hostile-archive.ts';
import { rawZip } from './raw-zip.ts';

/** Names that leave the folder, or are another path on another system, with the form that a message prints. */
const UNSAFE: ReadonlyArray<[description: string, name: string, printed?: string]> = [
  ['a name that climbs out', '../evil.js'],
  ['a name that climbs out from a folder', 'content/../../evil.js'],
  ['a name that climbs and comes back', 'content/../manifest2.json'],
  ['a name that ends in two dots', 'content/..'],
  ['a directory of two dots', 'content/../'],
  ['two dots alone', '..'],
  ['one dot alone', '.'],
  ['a name that starts with a dot part', './background.js'],
  ['a name with a dot part', 'content/./background.js'],
  ['an absolute name', '/etc/passwd'],
  ['a name that starts with two slashes', '//server/share/evil.js'],
  ['a slash alone', '/'],
  ['an empty part', 'content//background.js'],
  ['a directory with two slashes', 'content//'],
  ['an empty name', ''],
  ['a backslash', 'content\\background.js'],
  ['a name that climbs out with backslashes', '..\\..\\evil.js'],
  ['a share name with backslashes', '\\\\server\\share\\evil.js'],
  ['a drive letter', 'C:/evil.js'],
  ['a drive letter without a slash', 'c:evil.js'],
  ['a NUL after a valid name', 'background.js\0.png', 'background.js\\u0000.png'],
  ['a line feed that forges a manifest line', 'a\nSHA256-Digest: x', 'a\\u000aSHA256-Digest: x'],
  ['a carriage return', 'a\r.js', 'a\\u000d.js'],
  ['a tab', 'a\t.js', 'a\\u0009.js'],
  ['an escape sequence', '\u001b[2Jgone.js', '\\u001b[2Jgone.js'],
  ['a delete character', 'a\u007f.js', 'a\\u007f.js'],
  ['a next-line control', 'a\u0085.js', 'a\\u0085.js'],
  ['a line separator', 'a\u2028.js', 'a\\u2028.js'],
  ['a tower of combining marks', `e${'\u0301'.repeat(40)}.js`],
  ['a name of 513 bytes', 'a'.repeat(513), 'a'.repeat(200)],
  ['a name of 171 characters and 513 bytes', '€'.repeat(171), '€'.repeat(171)],
  ['a name of 60,000 bytes', 'long/'.repeat(12_000), 'long/'.repeat(40)],
];

/** Names that are equal on some system, with the printed name: the later of two equal names, or the one below a file. */
const CLASHING: ReadonlyArray<[description: string, names: string[], printed: string]> = [
  ['the same name twice', ['background.js', 'background.js'], 'background.js'],
  ['two manifests', ['manifest.json'], 'manifest.json'],
  ['names that differ in case', ['Icon.png', 'icon.png'], 'icon.png'],
  ['names that differ in the case of a folder', ['Images/a.png', 'images/A.png'], 'images/A.png'],
  ['names that differ in the case of other alphabets', ['ДА.js', 'да.js'], 'да.js'],
  ['composed and decomposed characters', ['caf\u00e9.js', 'cafe\u0301.js'], 'cafe\u0301.js'],
  ['a sharp s and its capitals', ['stra\u00dfe.js', 'STRASSE.js'], 'STRASSE.js'],
  ['the sign of kelvin', ['k.js', '\u212a.js'], '\u212a.js'],
  ['a file and a directory of one name', ['content', 'content/'], 'content/'],
  ['a directory twice', ['content/', 'content/'], 'content/'],
  ['a file used as a directory', ['content', 'content/a.js'], 'content/a.js'],
  ['a file used as a directory, the other way round', ['content/a.js', 'content'], 'content/a.js'],
  ['a file used as a directory in another case', ['Content', 'content/a.js'], 'content/a.js'],
  ['a file used as a directory deeper down', ['a/b', 'a/b-c', 'a/b.d', 'a/b/c/d/e.js'], 'a/b/c/d/e.js'],
];

/** Invalid UTF-8, some of which lenient decoders accept. */
const UNDECODABLE_NAMES: ReadonlyArray<[description: string, bytes: number[]]> = [
  ['a name in Latin-1', [0x63, 0x61, 0x66, 0xe9]],
  ['a name in code page 437', [0x81, 0x62, 0x65, 0x72]],
  ['a name in UTF-16 with a byte order mark', [0xff, 0xfe, 0x61, 0x00]],
  ['an overlong slash', [0x61, 0xc0, 0xaf, 0x62]],
  ['two overlong dots', [0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x61]],
  ['an overlong NUL', [0x61, 0xc0, 0x80, 0x62]],
  ['an overlong slash of three bytes', [0x61, 0xe0, 0x80, 0xaf]],
  ['an overlong slash of four bytes', [0x61, 0xf0, 0x80, 0x80, 0xaf]],
  ['a surrogate', [0x61, 0xed, 0xa0, 0x80]],
  ['a code point after the last', [0x61, 0xf4, 0x90, 0x80, 0x80]],
  ['a lone continuation byte', [0x80]],
  ['a cut-off character', [0x61, 0xe2, 0x82]],
];

/** Archives whose entry names are refused. */
export function hostileNames(): HostileArchive[] {
  return [
    ...UNSAFE.map(([name, entry, printed]) => {
      return { name, bytes: rawZip(packageWith({ name: entry })), text: refusedName(printed ?? entry) };
    }),
    ...CLASHING.map(([name, names, printed]) => {
      return {
        name,
        bytes: rawZip(packageWith(...names.map((entry) => ({ name: entry })))),
        text: refusedName(printed),
      };
    }),
    ...UNDECODABLE_NAMES.map(([name, bytes]) => {
      return { name, bytes: rawZip(packageWith({ name: Buffer.from(bytes) })), text: UNDECODABLE };
    }),
  ];
}
