import { changedFieldsOf, type FieldMessages, fieldMessagesOf, InvalidInputError } from '../../errors.ts';
import { englishText, type Message } from '../../texts/messages.ts';

/** Messages by field of the input, which the reader of a request found before the mutation runs. */
export type InputFaults = FieldMessages;

/** Gathers the invalid fields of a request, so that the client gets all of them in one response. */
export class FieldErrors {
  readonly #fields: Record<string, Message[]> = {};
  readonly #changed = new Set<string>();
  #first: Message | null = null;

  /** Adds a message on a field. Each message is there once. */
  add(field: string, message: Message): void {
    this.#first ??= message;
    const present = this.#fields[field] ?? [];
    const text = englishText(message);
    if (!present.some((each) => englishText(each) === text)) this.#fields[field] = [...present, message];
  }

  /** Adds the messages of another source by field. */
  addAll(fields: InputFaults): void {
    for (const [field, messages] of Object.entries(fields)) {
      for (const message of messages) this.add(field, message);
    }
  }

  /** Adds a field that others have changed since the client read it. */
  addChanged(field: string, message: Message): void {
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
      const fields = error instanceof InvalidInputError ? fieldMessagesOf(error) : null;
      if (fields === null) throw error;
      this.addAll(fields);
      for (const field of changedFieldsOf(error as InvalidInputError)) this.#changed.add(field);
      return undefined;
    }
  }

  /** @throws {InvalidInputError} with all gathered fields, if there are any. */
  throwIfAny(): void {
    if (this.#first !== null) throw new InvalidInputError(this.#first, this.#fields, [...this.#changed]);
  }
}
