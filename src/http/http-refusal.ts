import { ServiceError } from '../errors.ts';
import { englishText, type Message, message } from '../texts/messages.ts';

/** An error of the HTTP layer, such as an unknown address. Its body is `detail` on all endpoints. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Its message as code and parameters. */
  readonly reason: Message;

  constructor(status: number, reason: Message, headers: Record<string, string> = {}) {
    super(englishText(reason));
    this.reason = reason;
    this.name = 'HttpRefusal';
    this.status = status;
    this.headers = headers;
  }
}

/** An error that the client can act upon. */
export type Refusal = ServiceError | HttpRefusal;

/** Whether an error is a refusal. Other errors are bugs or outages and are logged. */
export const isRefusal = (error: unknown): error is Refusal =>
  error instanceof ServiceError || error instanceof HttpRefusal;

/** The error for an unknown address. */
export const unknownAddress = () => new HttpRefusal(404, message('request.not_found'));

/** The error for a method that an address does not take. */
export const methodNotAllowed = (method: string | undefined, allowed: readonly string[]) =>
  new HttpRefusal(405, message('request.method_not_allowed', { method: method ?? '' }), { Allow: allowed.join(', ') });
