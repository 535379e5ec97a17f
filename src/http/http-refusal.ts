/**
 * A refusal of HTTP itself, which no operation has heard of: a wrong method, an unknown address, a media type that is
 * not read. Its body is `detail` everywhere.
 */
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
