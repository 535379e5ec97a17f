/*
 * Connections of the pools that record each statement as a span, and log those that take longer than SLOW_STATEMENT_MS. Neither has the
 * values of a statement, which may be personal.
 */
import { AsyncResource } from 'node:async_hooks';
import { SpanKind } from '@opentelemetry/api';
import pg from 'pg';
import { config } from '../config.ts';
import { currentRequest } from './current-request.ts';
import { log } from './log.ts';
import { isTraced, markFailed, startSpan } from './tracing.ts';

/** The part of a long statement that a log line has, in characters. */
const MAX_LOGGED = 1_000;

type End = (error?: unknown) => void;
type Callback = (error: unknown, ...results: unknown[]) => void;

/** Observes the statements of a connection from now on. */
export function observeStatements(client: pg.PoolClient): void {
  // A client of a pooler has a method of its own. That of the class is looked up for each statement, as it may be replaced.
  const own = Object.hasOwn(client, 'query') ? client.query : null;
  const query = (...words: unknown[]): unknown => Reflect.apply(own ?? pg.Client.prototype.query, client, words);
  const run = (...words: unknown[]): unknown => {
    const text = textOf(words[0]);
    // Cursors and copies report their own end.
    if (text === undefined) return query(...words);
    const end = begin(text);
    const callback = words.at(-1);
    if (typeof callback === 'function') {
      const report: Callback = (error, ...results) => {
        end(error ?? undefined);
        (callback as Callback)(error, ...results);
      };
      return query(...words.slice(0, -1), report);
    }
    const result = query(...words) as Promise<unknown>;
    result.then(() => end(), end);
    return result;
  };
  client.query = run as typeof client.query;
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/** A pool that calls back in the context of the caller, also when the caller waited for a connection: spans need it. */
export class ObservedPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) return super.connect();
    super.connect(isTraced() ? AsyncResource.bind(callback) : callback);
    return undefined;
  }
}

/** The text of a statement; undefined for what a connection only submits. */
function textOf(statement: unknown): string | undefined {
  if (typeof statement === 'string') return statement;
  if (typeof (statement as { submit?: unknown }).submit === 'function') return undefined;
  return (statement as { text?: string }).text;
}

/** Notes the start of a statement. The function that it returns notes its end. */
function begin(text: string): End {
  const started = performance.now();
  const span = startSpan(operationOf(text), {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
  });
  return (error) => {
    const milliseconds = Math.round(performance.now() - started);
    if (span !== null) {
      if (error !== undefined) markFailed(span, error);
      span.end();
    }
    if (config.SLOW_STATEMENT_MS > 0 && milliseconds >= config.SLOW_STATEMENT_MS) logSlow(text, milliseconds);
  };
}

/** The first word of a statement, such as SELECT. */
const operationOf = (text: string): string => /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'statement';

function logSlow(text: string, milliseconds: number): void {
  const statement = text.replace(/\s+/g, ' ').trim().slice(0, MAX_LOGGED);
  log.warn({ requestId: currentRequest.getStore()?.requestId, milliseconds, statement }, 'slow statement');
}
