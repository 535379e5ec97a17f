import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that the current code runs for, so that log lines and jobs carry its id. */
export const currentRequest = new AsyncLocalStorage<{ requestId: string }>();
