import { count, flag, MAX_NETWORK_LIMIT, meta } from './types.ts';

/** Settings of the update checks of browsers. */
export const updateSettings = {
  UPDATE_MAX_AGE: [
    count(0, 86_400).default(3_600),
    meta('Updates', 'Seconds that clients and proxies may cache a response to an update check.'),
  ],
  UPDATE_MEMORY_MB: [
    count(1, 100_000).default(64),
    meta('Updates', 'Responses to update checks that a process holds in memory, in MB.'),
  ],
  UPDATE_STATISTICS: [
    flag.default(true),
    meta('Updates', 'false stops the counting of update checks, from which the users of add-ons are estimated.'),
  ],
  UPDATE_CHECKS_PER_NETWORK: [
    count(1, MAX_NETWORK_LIMIT).default(50),
    meta('Updates', 'Checks for one add-on on one day that count for one address (IPv6: /64), in each process.'),
  ],
  UPDATE_LOG: [flag.default(false), meta('Updates', 'true writes a log line for each update check.')],
} as const;
