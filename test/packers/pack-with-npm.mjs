/*
 * Packs a folder with a package of npm. Arguments: name of the packer, mode (`file` or `stream`), folder, output file, folder of the
 * installed package.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { filesBelow } from './tree.ts';

const [name = '', mode = '', folder = '', output = '', modules = ''] = process.argv.slice(2);
const isStream = mode === 'stream';
const entry = createRequire(`${modules}/`).resolve(name);
const names = await filesBelow(folder);
const read = (file) => readFile(`${folder}/${file}`);
const contents = async () => Promise.all(names.map(async (file) => ({ file, data: await read(file) })));

// Each package has its own interface.
const loaded = await import(pathToFileURL(entry).href);
const library = loaded.default ?? loaded;

const PACKERS = {
  yazl: async () => {
    const zip = new library.ZipFile();
    for (const file of names) {
      if (isStream)
        zip.addReadStreamLazy(file, (take) =>
          take(null, createReadStream(`${folder}/${file}`)),
        );
      else zip.addFile(`${folder}/${file}`, file);
    }
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(output));
  },
  archiver: async () => {
    const archive = new loaded.ZipArchive({ zlib: { level: 9 } });
    const target = archive.pipe(createWriteStream(output));
    if (isStream) for (const { file, data } of await contents()) archive.append(Readable.from([data]), { name: file });
    else archive.directory(folder, false);
    await archive.finalize();
    await finished(target);
  },
  jszip: async () => {
    const zip = new library();
    for (const { file, data } of await contents()) zip.file(file, data);
    const options = { compression: 'DEFLATE', streamFiles: isStream };
    if (isStream) await pipeline(zip.generateNodeStream(options), createWriteStream(output));
    else await writeFile(output, await zip.generateAsync({ ...options, type: 'nodebuffer' }));
  },
  'adm-zip': async () => {
    const zip = new library();
    if (isStream) for (const { file, data } of await contents()) zip.addFile(file, data);
    else zip.addLocalFolder(folder);
    if (isStream) await writeFile(output, zip.toBuffer());
    else await zip.writeZipPromise(output);
  },
  fflate: async () => {
    const all = await contents();
    if (!isStream)
      return writeFile(output, loaded.zipSync(Object.fromEntries(all.map(({ file, data }) => [file, data]))));
    const pieces = [];
    const zip = new loaded.Zip((_, piece) => pieces.push(piece));
    for (const { file, data } of all) {
      const deflate = new loaded.ZipDeflate(file);
      zip.add(deflate);
      deflate.push(data, true);
    }
    zip.end();
    return writeFile(output, Buffer.concat(pieces));
  },
  '@zip.js/zip.js': async () => {
    const writer = isStream ? new loaded.Uint8ArrayWriter() : new loaded.BlobWriter('application/zip');
    const zip = new loaded.ZipWriter(writer, { keepOrder: true, dataDescriptor: isStream });
    for (const { file, data } of await contents()) {
      await zip.add(file, isStream ? new Blob([data]).stream() : new loaded.BlobReader(new Blob([data])));
    }
    const result = await zip.close();
    return writeFile(output, isStream ? result : Buffer.from(await result.arrayBuffer()));
  },
  'client-zip': async () => {
    const files = (await contents()).map(({ file, data }) => ({
      name: file,
      input: isStream ? new Response(data) : data,
    }));
    return writeFile(output, Buffer.from(await loaded.downloadZip(files).arrayBuffer()));
  },
  'zip-a-folder': () => (loaded.zip ?? library.zip)(folder, output),
  crx3: () => library([`${folder}/manifest.json`], { crxPath: output }),
};

await PACKERS[name]?.();
