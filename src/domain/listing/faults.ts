import { InvalidInputError } from '../../errors.ts';

/** Gathers the invalid fields of a request, so that the client gets all of them in one response. */
export class Faults {
  readonly #fields: Record<string, string[]> = {};
  #first: string | null = null;

  /** Adds a message on a field. */
  add(field: string, message: string): void {
    this.#first ??= message;
    this.#fields[field] = [...(this.#fields[field] ?? []), message];
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
      for (const [field, messages] of Object.entries(error.details.fields as Record<string, string[]>)) {
        for (const message of messages) this.add(field, message);
      }
      return undefined;
    }
  }

  /** @throws {InvalidInputError} with all gathered fields, if there are any. */
  throwIfAny(): void {
    if (this.#first !== null) throw new InvalidInputError(this.#first, this.#fields);
  }
}
