import { z } from 'zod';
import { message } from '../../texts/messages.ts';
import { boundedText, derived, flagValue, guid, id, nullIfAbsent, timestamp, username, whole } from './line-values.ts';

/** A rating has a score, a reply has none. */
export const ratingLine = z
  .strictObject({
    kind: derived,
    id,
    addon: guid,
    user: username,
    version: nullIfAbsent(boundedText(255)),
    reply_to: nullIfAbsent(id),
    score: nullIfAbsent(whole(1, 5)),
    body: nullIfAbsent(boundedText(10_000)),
    hold_reason: nullIfAbsent(z.enum(['new_account', 'text', 'moderator'])),
    deleted: flagValue,
    created: timestamp,
    updated: timestamp,
  })
  .refine(({ score, reply_to }) => (score === null) !== (reply_to === null), {
    params: { ...message('line.expected_score_or_reply') },
    path: ['score'],
  });
