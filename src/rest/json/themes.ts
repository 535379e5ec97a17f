import { z } from 'zod';
import type { ThemeUpdateQuery } from '../../generated/operations/graphql.ts';

export const themeUpdate = z
  .strictObject({
    id: z.string(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    author: z.string(),
    username: z.string(),
    headerURL: z.string(),
    footerURL: z.string(),
    detailURL: z.url(),
    previewURL: z.string(),
    iconURL: z.string(),
    accentcolor: z.string().nullable(),
    textcolor: z.string().nullable(),
    updateURL: z.url(),
    version: z.literal('1.0'),
  })
  .meta({ id: 'ThemeUpdate' });

/** Schema of the update response for a persona. */
export function themeUpdateJson({ databaseId, summary, themeData: theme }: ThemeUpdateQuery['themeUpdate']) {
  return {
    id: String(databaseId),
    name: theme?.name?.value ?? null,
    description: summary?.value ?? null,
    author: theme?.author ?? '',
    username: theme?.author ?? '',
    headerURL: theme?.headerUrl ?? '',
    footerURL: theme?.footerUrl ?? '',
    detailURL: theme?.detailUrl,
    previewURL: theme?.previewUrl ?? '',
    iconURL: theme?.iconUrl ?? '',
    accentcolor: theme?.accentColor ?? null,
    textcolor: theme?.textColor ?? null,
    updateURL: theme?.updateUrl,
    version: '1.0',
  };
}
