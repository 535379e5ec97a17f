import { z } from 'zod';

/** A translated field in every form that it is read in (contract, Translated fields). */
export const textField = z
  .union([z.string(), z.record(z.string(), z.string())])
  .nullable()
  .meta({ id: 'Text' });

/** A moment (contract: dates): UTC, whole seconds. */
export const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
