import { changedFieldsOf, InvalidInputError } from '../../errors.ts';

/** Messages by field of the input, which the reader of a request found before the mutation runs. */
export type RequestFaults = Readonly<Record<string, readonly string[]>>;

/** Gathers the invalid fields of a request, so that the client gets all of them in one response. */
export class Faults {
  readonly #fields: Record<string, string[]> = {};
  readonly #changed = new Set<string>();
  #first: string | null = null;

  /** Adds a message on a field. Each message is there once. */
  add(field: string, message: string): void {
    this.#first ??= message;
    const present = this.#fields[field] ?? [];
    if (!present.includes(message)) this.#fields[field] = [...present, message];
  }

  /** Adds the messages of another source by field. */
  addAll(fields: RequestFaults): void {
    for (const [field, messages] of Object.entries(fields)) {
      for (const message of messages) this.add(field, message);
    }
  }

  /** Adds a field that others have changed since the client read it. */
  addChanged(field: string, message: string): void {
    this.#changed.add(field);
    this.add(field, message);
  }

  has(field: string): boolean {
    return Object.hasOwn(this.#fields, field);
  }

  /**
   * Runs a check, and the change that depends on it. Gathers the fields that it refuses and returns undefined then.
   * @throws every other error of the check.
   */
  async collect<Result>(check: () => Result | Promise<Result>): Promise<Result | undefined> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof InvalidInputError) || error.details.fields === undefined) throw error;
      this.addAll(error.details.fields as RequestFaults);
      for (const field of changedFieldsOf(error)) this.#changed.add(field);
      return undefined;
    }
  }

  /** @throws {InvalidInputError} with all gathered fields, if there are any. */
  throwIfAny(): void {
    if (this.#first !== null) throw new InvalidInputError(this.#first, this.#fields, [...this.#changed]);
  }
}
