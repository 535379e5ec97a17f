import { pino } from 'pino';
import { config } from '../config.ts';

/** Structured log lines on standard output, one JSON object each. The redacted values are credentials or personal data. */
export const log = pino({
  level: config.LOG_LEVEL,
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
