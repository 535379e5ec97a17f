import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A message from the browser: 1 for a response, its command's number, the error, the result. */
type Response = [1, number, { error: string; message: string } | null, unknown];

/** A connection to the remote control of a running browser: length-prefixed JSON over TCP, one command at a time or several. */
export class Marionette {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (response: Response | Error) => void>();
  #received = Buffer.alloc(0);
  #last = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('close', () => this.#fail(new Error('the browser closed its remote control')));
    socket.on('error', (error) => this.#fail(error));
  }

  /** Connects to a port of the loopback interface and starts a session whose scripts have the rights of the browser itself. */
  static async open(port: number): Promise<Marionette> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const marionette = new Marionette(socket);
    await marionette.send('WebDriver:NewSession', {});
    await marionette.send('Marionette:SetContext', { value: 'chrome' });
    await marionette.send('WebDriver:SetTimeouts', { script: 60_000 });
    return marionette;
  }

  /**
   * Runs the body of an async function in the browser and returns its result. `values` are its `arguments`.
   * @throws {Error} with the message of the exception that it threw.
   */
  async run<T>(body: string, ...values: unknown[]): Promise<T> {
    const script = `return (async (...values) => { ${body} })(...arguments);`;
    const { value } = (await this.send('WebDriver:ExecuteScript', { script, args: values })) as { value: T };
    return value;
  }

  /**
   * Opens a page and clicks the first element that matches a CSS selector, as a user does.
   * @throws {Error} if no element matches.
   */
  async click(page: string, selector: string): Promise<void> {
    await this.send('Marionette:SetContext', { value: 'content' });
    await this.send('WebDriver:Navigate', { url: page });
    const script = `const found = document.querySelector(arguments[0]);
      found?.scrollIntoView({ block: 'center' });
      return found;`;
    const { value: origin } = (await this.send('WebDriver:ExecuteScript', { script, args: [selector] })) as {
      value: Record<string, string> | null;
    };
    if (origin === null) throw new Error(`${page} has no ${selector}`);
    // The command for clicks waits for a page to load, five seconds in vain for a link that opens none.
    const moves = { type: 'pointerMove', x: 0, y: 0, origin };
    const actions = [moves, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
    await this.send('WebDriver:PerformActions', { actions: [{ type: 'pointer', id: 'mouse', actions }] });
    await this.send('Marionette:SetContext', { value: 'chrome' });
  }

  /** Sends one command and returns its result. */
  async send(name: string, parameters: Record<string, unknown>): Promise<unknown> {
    this.#last += 1;
    const number = this.#last;
    const message = Buffer.from(JSON.stringify([0, number, name, parameters]));
    const response = new Promise<Response | Error>((resolve) => this.#waiting.set(number, resolve));
    this.#socket.write(Buffer.concat([Buffer.from(`${message.length}:`), message]));
    const received = await response;
    if (received instanceof Error) throw received;
    const [, , error, result] = received;
    if (error !== null) throw new Error(`${name}: ${error.error}: ${error.message}`);
    return result;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** The browser introduces itself with an object before the first response; it is ignored. */
  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const colon = this.#received.indexOf(':');
      const end = colon + 1 + Number(this.#received.subarray(0, Math.max(colon, 0)).toString());
      if (colon === -1 || this.#received.length < end) return;
      const message = JSON.parse(this.#received.subarray(colon + 1, end).toString()) as Response | object;
      this.#received = this.#received.subarray(end);
      if (Array.isArray(message)) this.#settle(message[1], message as Response);
    }
  }

  #settle(number: number, response: Response | Error): void {
    this.#waiting.get(number)?.(response);
    this.#waiting.delete(number);
  }

  #fail(error: Error): void {
    for (const number of [...this.#waiting.keys()]) this.#settle(number, error);
  }
}
