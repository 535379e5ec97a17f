import { z } from 'zod';
import { message } from '../../texts/messages.ts';
import {
  boundedText,
  derivedValue,
  flagValue,
  guidValue,
  idValue,
  nullIfAbsent,
  timestampValue,
  usernameValue,
  wholeValue,
} from './line-values.ts';

/** A rating has a score, a reply has none. */
export const ratingLine = z
  .strictObject({
    kind: derivedValue,
    id: idValue,
    addon: guidValue,
    user: usernameValue,
    version: nullIfAbsent(boundedText(255)),
    reply_to: nullIfAbsent(idValue),
    score: nullIfAbsent(wholeValue(1, 5)),
    body: nullIfAbsent(boundedText(10_000)),
    hold_reason: nullIfAbsent(z.enum(['new_account', 'text', 'moderator'])),
    deleted: flagValue,
    created: timestampValue,
    updated: timestampValue,
  })
  .refine(({ score, reply_to }) => (score === null) !== (reply_to === null), {
    params: { ...message('line.expected_score_or_reply') },
    path: ['score'],
  });
