import type { IncomingMessage } from 'node:http';
import { ANONYMOUS } from '../auth/viewer.ts';
import { log } from '../infra/log.ts';
import { countVisit, type IdentifiedResponse, senderOf } from './request-services.ts';
import { readBytes } from './small-body.ts';

/** A report of violated policies, in bytes, and what is logged of it, in characters. */
const MAX_REPORT_BYTES = 16 * 1024;
const MAX_LOGGED_REPORT = 1_000;

/** Logs what a browser reports that a page must not load. */
export async function receiveCspReport(request: IncomingMessage, response: IdentifiedResponse): Promise<void> {
  const { ip, requestId } = senderOf(response);
  await countVisit('csp-report', ANONYMOUS, ip);
  const reports = (await readBytes(request, MAX_REPORT_BYTES)).toString().slice(0, MAX_LOGGED_REPORT);
  log.warn({ requestId, reports }, 'a page broke its content security policy');
  response.statusCode = 204;
  response.end();
}
