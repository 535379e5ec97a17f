/* A circuit breaker: after some failures in a short time, calls fail at once for a while; then one probe decides for all. */

interface BreakerRules {
  /** Number of failures that open the breaker. */
  failures: number;
  /** Time within which they must happen. */
  withinMs: number;
  /** Time for which the breaker is open before a probe. */
  openMs: number;
}

/** The call was not made because the breaker is open. */
export class BreakerOpenError extends Error {
  override readonly name = 'BreakerOpenError';
}

export class Breaker {
  readonly #rules: BreakerRules;
  readonly #isFailure: (error: unknown) => boolean;
  readonly #onChange: (isOpen: boolean, error?: unknown) => void;
  readonly #now: () => number;
  #failures: number[] = [];
  /** When the next probe may run; null while the breaker is closed. */
  #openUntil: number | null = null;
  #isProbing = false;

  /** `isFailure` selects the errors that count; any other error shows that the service responds. */
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

  /** Seconds until the next probe, at least 1. */
  get secondsLeft(): number {
    return Math.max(1, Math.ceil(((this.#openUntil ?? 0) - this.#now()) / 1000));
  }

  /** Makes the next call a probe. */
  probeNow(): void {
    if (this.isOpen) this.#openUntil = this.#now();
  }

  /**
   * Calls the service and records the outcome.
   * @throws {BreakerOpenError} without calling while the breaker is open; otherwise what `work` throws.
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const isProbe = this.isOpen;
    if (isProbe && (this.#isProbing || this.#now() < (this.#openUntil ?? 0))) throw new BreakerOpenError();
    if (isProbe) this.#isProbing = true;
    try {
      const result = await work();
      this.#succeeded(isProbe);
      return result;
    } catch (error) {
      if (this.#isFailure(error)) this.#failed(isProbe, error);
      else this.#succeeded(isProbe);
      throw error;
    }
  }

  /** Calls that started before the breaker opened do not close it. */
  #succeeded(isProbe: boolean): void {
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
