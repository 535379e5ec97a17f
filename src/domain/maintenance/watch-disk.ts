import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { config } from '../../config.ts';
import { storeFolder } from '../../infra/blob-store/blob-store.ts';
import { db } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { forgetReadOnlyState, LOW_DISK_PREFIX, noteLowDisk } from '../../infra/read-only.ts';
import { storeCause } from './switch-read-only.ts';

const CHECK_MS = 1_000;
/** Well below the time after which the rows of a host count as outdated. */
const REPORT_MS = 10_000;
const MEGABYTE = 1024 * 1024;
/** Read-only mode ends only when this multiple of LOW_DISK_MB is free, so that it does not flicker. */
const RECOVERY = 1.25;

/**
 * Watches the free space of DATA_DIR and of the store: below LOW_DISK_MB, all processes are in read-only mode until enough is free again. The
 * switch of the operator is another row, which stays. This process switches even when the database cannot be reached.
 */
export class DiskWatch {
  readonly #freeMb: () => Promise<number>;
  readonly #name: string;
  #isLow = false;
  #reported: { isLow: boolean; at: number } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** `freeMb` returns the free space in MB. */
  constructor(freeMb: () => Promise<number> = freeSpace) {
    this.#freeMb = freeMb;
    this.#name = `${LOW_DISK_PREFIX}${hostname()}:${config.DATA_DIR}:${config.LOW_DISK_MB}`;
  }

  /** Checks now, and every second until `stop`. */
  async start(): Promise<void> {
    if (config.LOW_DISK_MB === 0) return;
    await this.check();
    if (this.#isStopped) return noteLowDisk(false);
    this.#timer = setTimeout(() => void this.start(), CHECK_MS).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    noteLowDisk(false);
  }

  /** One check, and a report to the other processes when the state is new, or low and not reported for some time. */
  async check(): Promise<void> {
    const free = await this.#freeMb().catch(() => null);
    if (free === null) return;
    this.#isLow = free < config.LOW_DISK_MB * (this.#isLow ? RECOVERY : 1);
    noteLowDisk(this.#isLow);
    const { isLow, at } = this.#reported ?? { isLow: null, at: 0 };
    if (isLow === this.#isLow && (!isLow || performance.now() - at < REPORT_MS)) return;
    await this.#report(free).catch((error) => log.warn({ err: error }, 'Free space could not be reported.'));
  }

  async #report(free: number): Promise<void> {
    const readOnly = this.#isLow;
    const reason = `${Math.floor(free)} MB are free on ${hostname()}; LOW_DISK_MB is ${config.LOW_DISK_MB}`;
    const isNew = await db.$transaction((tx) => storeCause(tx, 'disk watch', this.#name, { readOnly, reason }));
    this.#reported = { isLow: readOnly, at: performance.now() };
    forgetReadOnlyState();
    if (isNew)
      log.warn(
        { readOnly, free },
        readOnly ? 'Read-only mode starts: the disk is nearly full.' : 'Read-only mode ends.',
      );
  }
}

/** Free space of DATA_DIR and of the store, which may be a file system of its own: the smaller one, in MB. */
export async function freeSpace(): Promise<number> {
  const [data, store] = await Promise.all([statfs(config.DATA_DIR), statfs(storeFolder()).catch(() => null)]);
  const free = [data, store ?? data].map(({ bavail, bsize }) => bavail * bsize);
  return Math.min(...free) / MEGABYTE;
}
