/* Makes the folder of a pool below the first argument, as a process with the id of the second one, and prints its path. */
import { makePoolFolder } from '../../../src/package/validation/pool-folder.ts';

const [, , parent = '', pid] = process.argv;
Object.defineProperty(process, 'pid', { value: Number(pid) });
const made = await makePoolFolder(parent);
console.log(made.path);
setInterval(() => {}, 60_000);
