/* The packers, in each of their modes. */
import { fileURLToPath } from 'node:url';

export interface Packer {
  /** With the version, where this script installs it. */
  name: string;
  mode: 'file' | 'stream';
  /** A program that must be installed. */
  program: string;
  /** The package of npm to install, with its version. */
  npm?: readonly [name: string, version: string];
  /** Run by `sh` in the folder to pack. `$OUT` is the file to write, `$WORK` an empty folder, `$MODULES` that of npm. */
  command: string;
}

const NPM_SCRIPT = fileURLToPath(new URL('./pack-with-npm.mjs', import.meta.url));
const PYTHON_STREAM = `
import os, sys, zipfile
class Stream:
    def write(self, data): return sys.stdout.buffer.write(data)
    def flush(self): sys.stdout.buffer.flush()
with zipfile.ZipFile(Stream(), "w", zipfile.ZIP_DEFLATED) as archive:
    for folder, _, files in os.walk("."):
        for name in files: archive.write(os.path.join(folder, name))
`;
const GO = `package main

import (
	"archive/zip"
	"os"
)

func main() {
	archive := zip.NewWriter(os.Stdout)
	if err := archive.AddFS(os.DirFS(os.Args[1])); err != nil { panic(err) }
	if err := archive.Close(); err != nil { panic(err) }
}
`;

const both = (name: string, program: string, file: string, stream: string): Packer[] => [
  { name, mode: 'file', program, command: file },
  { name, mode: 'stream', program, command: stream },
];

const REPOSITORY =
  'export GIT_DIR="$WORK/.git" GIT_WORK_TREE="$PWD"; git init -q; git add -A; git -c user.name=a -c user.email=a@example.org commit -qm packed;';

const PROGRAMS: readonly Packer[] = [
  ...both('Info-ZIP zip', 'zip', 'zip -qr "$OUT" .', 'zip -qr - . | cat >"$OUT"'),
  ...both('7-Zip', '7zz', '7zz a -tzip -bso0 -bsp0 "$OUT" .', '7zz a -tzip -bso0 -bsp0 -so packed.zip . | cat >"$OUT"'),
  ...both(
    'libarchive bsdtar',
    'bsdtar',
    'bsdtar --format zip -cf "$OUT" *',
    'bsdtar --format zip -cf - * | cat >"$OUT"',
  ),
  ...both('JDK jar', 'jar', 'jar cMf "$OUT" .', 'jar cM . | cat >"$OUT"'),
  ...both('Python zipfile', 'python3', 'python3 -m zipfile -c "$OUT" *', `python3 -c '${PYTHON_STREAM}' | cat >"$OUT"`),
  {
    name: 'Python shutil',
    mode: 'file',
    program: 'python3',
    command: `python3 -c 'import shutil; shutil.make_archive("'"$WORK"'/packed", "zip", ".")' && cp "$WORK/packed.zip" "$OUT"`,
  },
  {
    name: 'AdvanceCOMP advzip',
    mode: 'file',
    program: 'advzip',
    command: 'zip -qr "$OUT" . && advzip -q -z -4 "$OUT"',
  },
  ...both(
    'git archive',
    'git',
    `${REPOSITORY} git archive --format zip -o "$OUT" HEAD`,
    `${REPOSITORY} git archive --format zip HEAD | cat >"$OUT"`,
  ),
  {
    name: 'Go archive/zip',
    mode: 'stream',
    program: 'go',
    command: `cat >"$WORK/main.go" <<'END'\n${GO}END\ngo run "$WORK/main.go" "$PWD" | cat >"$OUT"`,
  },
];

function npmPacker(name: string, version: string, mode: 'file' | 'stream'): Packer {
  const command = `node --disable-warning=ExperimentalWarning "${NPM_SCRIPT}" ${name} ${mode} "$PWD" "$OUT" "$MODULES"`;
  return { name: `${name} ${version}`, mode, program: 'npm', npm: [name, version], command };
}

const WITH_BOTH_MODES: readonly (readonly [name: string, version: string])[] = [
  ['yazl', '3.3.1'],
  ['archiver', '8.0.0'],
  ['jszip', '3.10.2'],
  ['adm-zip', '0.6.1'],
  ['fflate', '0.8.3'],
  ['@zip.js/zip.js', '2.24.0'],
  ['client-zip', '2.5.1'],
];

export const PACKERS: readonly Packer[] = [
  ...PROGRAMS,
  ...WITH_BOTH_MODES.flatMap(([name, version]) => [
    npmPacker(name, version, 'file'),
    npmPacker(name, version, 'stream'),
  ]),
  npmPacker('zip-a-folder', '6.2.0', 'file'),
  npmPacker('crx3', '2.0.0', 'file'),
  {
    name: 'web-ext 10.7.0',
    mode: 'file',
    program: 'npm',
    npm: ['web-ext', '10.7.0'],
    command:
      'node "$MODULES/web-ext/bin/web-ext.js" build --no-input -s "$PWD" -a "$WORK" -n packed.zip >/dev/null && cp "$WORK/packed.zip" "$OUT"',
  },
];
