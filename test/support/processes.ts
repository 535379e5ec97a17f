import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Ids of this process's children that run the program named `file`. */
export async function childrenRunning(file: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]);
  const lines = stdout.split('\n').filter((line) => line.includes(file));
  return lines.map((line) => Number.parseInt(line, 10));
}
