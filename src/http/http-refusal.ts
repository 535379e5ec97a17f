/** An error of the HTTP layer, such as an unknown address. Its body is `detail` on all endpoints. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'HttpRefusal';
    this.status = status;
    this.headers = headers;
  }
}

/** The error for an unknown address. */
export const unknownAddress = () => new HttpRefusal(404, 'Not found.');

/** The error for a method that an address does not take. */
export const methodNotAllowed = (method: string | undefined, allowed: readonly string[]) =>
  new HttpRefusal(405, `Method "${method}" not allowed.`, { Allow: allowed.join(', ') });
