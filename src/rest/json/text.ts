import { z } from 'zod';

/** Schema of a translated field (contract, Translated fields). */
export const textField = z
  .union([z.string(), z.record(z.string(), z.string())])
  .nullable()
  .meta({ id: 'Text' });

/** Schema of a date (contract): UTC, whole seconds. */
export const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
