import { pino } from 'pino';
import { config } from '../config.ts';

/**
 * Structured log lines on standard output, one JSON object each. The redacted values are credentials or personal data. `alert` is for
 * what an operator must look at now, although the service goes on.
 */
export const log = pino({
  level: config.LOG_LEVEL,
  customLevels: { alert: 70 },
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: {
    paths: [
      ...['authorization', 'headers.authorization', 'req.headers.authorization'],
      ...['secret', 'token', 'email', '*.secret', '*.token', '*.email'],
    ],
    censor: '[redacted]',
  },
});
