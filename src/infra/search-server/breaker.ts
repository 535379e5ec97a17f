/*
 * Spares a service that is out of order, and those who would wait for it: after some failures in a short time nobody asks
 * it for a while, then one does, and what that one finds holds for all.
 */

export interface BreakerRules {
  /** So many failures … */
  failures: number;
  /** … within this time … */
  withinMs: number;
  /** … and nobody asks for so long. */
  openMs: number;
}

/** Nobody asks at present. */
export class BreakerOpenError extends Error {
  override readonly name = 'BreakerOpenError';
}

/** A breaker of one process. */
export class Breaker {
  readonly #rules: BreakerRules;
  readonly #isFailure: (error: unknown) => boolean;
  readonly #onChange: (isOpen: boolean, error?: unknown) => void;
  readonly #now: () => number;
  #failures: number[] = [];
  /** Until when nobody asks; null while all do. */
  #openUntil: number | null = null;
  #isProbing = false;

  /** `isFailure` tells what breaks it from other errors, which show that the service answers. */
  constructor(
    rules: BreakerRules,
    isFailure: (error: unknown) => boolean,
    onChange: (isOpen: boolean, error?: unknown) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#rules = rules;
    this.#isFailure = isFailure;
    this.#onChange = onChange;
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#openUntil !== null;
  }

  /** Seconds until somebody asks again, at least one. */
  get secondsLeft(): number {
    return Math.max(1, Math.ceil(((this.#openUntil ?? 0) - this.#now()) / 1000));
  }

  /** Has the next one who asks find out how the service is, as there is reason to think that it is in order again. */
  askSoon(): void {
    if (this.isOpen) this.#openUntil = this.#now();
  }

  /**
   * Does some work with the service and learns from how it ends.
   * @throws {BreakerOpenError} without doing it, while the breaker is open; else whatever the work throws.
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const isProbe = this.isOpen;
    if (isProbe && (this.#isProbing || this.#now() < (this.#openUntil ?? 0))) throw new BreakerOpenError();
    if (isProbe) this.#isProbing = true;
    try {
      const result = await work();
      this.#answered(isProbe);
      return result;
    } catch (error) {
      if (this.#isFailure(error)) this.#failed(isProbe, error);
      else this.#answered(isProbe);
      throw error;
    }
  }

  /** Those who asked before it opened have no say any more. */
  #answered(isProbe: boolean): void {
    if (!isProbe) return;
    this.#isProbing = false;
    this.#openUntil = null;
    this.#failures = [];
    this.#onChange(false);
  }

  #failed(isProbe: boolean, error: unknown): void {
    const now = this.#now();
    if (isProbe) {
      this.#isProbing = false;
      this.#openUntil = now + this.#rules.openMs;
      return;
    }
    if (this.isOpen) return;
    this.#failures = [...this.#failures.filter((at) => at > now - this.#rules.withinMs), now];
    if (this.#failures.length < this.#rules.failures) return;
    this.#openUntil = now + this.#rules.openMs;
    this.#onChange(true, error);
  }
}
