import { SpanKind } from '@opentelemetry/api';
import type { JobHelpers } from 'graphile-worker';
import { z } from 'zod';
import { UnavailableError } from '../errors.ts';
import { currentRequest } from '../infra/current-request.ts';
import { isConnectionLoss } from '../infra/database-errors.ts';
import { log } from '../infra/log.ts';
import { jobSeconds } from '../infra/metrics.ts';
import { SearchServerError } from '../infra/search-server/failures.ts';
import { contextOf, inSpan } from '../infra/tracing.ts';
import { FAILURE_TAGS, type Task } from './tasks.ts';

type Logger = typeof log;

/** Ids of the jobs that run in this process. */
export const runningJobs = new Set<string>();

const requestPayload = z.object({ requestId: z.string().optional(), traceparent: z.string().optional() });

/** The function of a task that a worker calls with the untyped payload of a job. */
type TaskFunction = (payload: unknown, helpers: Pick<JobHelpers, 'job'>) => Promise<void>;

/**
 * Implements a task. `run` gets the parsed payload and a logger with the ids of the job and of the request that enqueued it.
 * @param stopping aborted when the worker stops.
 */
export function implementTask<Payload extends object>(
  { name, payload }: Pick<Task<Payload>, 'name' | 'payload'>,
  stopping: AbortSignal,
  run: (payload: Payload, log: Logger) => Promise<unknown>,
): [string, TaskFunction] {
  const runJob: TaskFunction = async (input, { job: { id } }) => {
    const { requestId, traceparent } = requestPayload.parse(input ?? {});
    const logger = log.child({ task: name, jobId: id, requestId });
    const options = { kind: SpanKind.CONSUMER, attributes: { 'messaging.message.id': id } };
    const work = () =>
      inSpan(name, options, async () => run(payload.parse(input ?? {}), logger), contextOf(traceparent));
    runningJobs.add(id);
    const measured = jobSeconds.startTimer({ task: name });
    let result = 'failed';
    try {
      await (requestId === undefined ? work() : currentRequest.run({ requestId }, work));
      result = 'done';
    } catch (error) {
      const kind = stopping.aborted ? 'interrupted' : kindOf(error);
      if (kind === null) throw error;
      result = kind;
      throw new Error(`${FAILURE_TAGS[kind]}${(error as Error).message}`, { cause: error });
    } finally {
      runningJobs.delete(id);
      measured({ result });
    }
  };
  return [name, runJob];
}

function kindOf(error: unknown): keyof typeof FAILURE_TAGS | null {
  if (isConnectionLoss(error)) return 'interrupted';
  if (error instanceof UnavailableError) return 'unavailable';
  return error instanceof SearchServerError ? 'search-server' : null;
}
