const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
/** After this uptime, the delay starts from its minimum again. */
const STEADY_MS = 30_000;

/** The growing delay before a process is started again that ends by itself. */
export class RestartDelay {
  #next = FIRST_DELAY_MS;

  /** Milliseconds before the next start of a process that ran for `uptimeMs`. */
  after(uptimeMs: number): number {
    const delay = uptimeMs > STEADY_MS ? FIRST_DELAY_MS : this.#next;
    this.#next = Math.min(delay * 2, MAX_DELAY_MS);
    return delay;
  }
}
