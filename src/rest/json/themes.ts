import { z } from 'zod';
import type { ThemeUpdateQuery } from '../../generated/operations/graphql.ts';
import { shape } from './shape.ts';

/** The update response for a persona. */
export const themeUpdate = shape<ThemeUpdateQuery['themeUpdate']>(
  {
    id: [z.string(), ({ databaseId }) => String(databaseId)],
    name: [z.string().nullable(), ({ themeData }) => themeData?.name?.value ?? null],
    description: [z.string().nullable(), ({ summary }) => summary?.value ?? null],
    author: [z.string(), ({ themeData }) => themeData?.author ?? ''],
    username: [z.string(), ({ themeData }) => themeData?.author ?? ''],
    headerURL: [z.string(), ({ themeData }) => themeData?.headerUrl ?? ''],
    footerURL: [z.string(), ({ themeData }) => themeData?.footerUrl ?? ''],
    detailURL: [z.url(), ({ themeData }) => themeData?.detailUrl],
    previewURL: [z.string(), ({ themeData }) => themeData?.previewUrl ?? ''],
    iconURL: [z.string(), ({ themeData }) => themeData?.iconUrl ?? ''],
    accentcolor: [z.string().nullable(), ({ themeData }) => themeData?.accentColor ?? null],
    textcolor: [z.string().nullable(), ({ themeData }) => themeData?.textColor ?? null],
    updateURL: [z.url(), ({ themeData }) => themeData?.updateUrl],
    version: [z.literal('1.0'), () => '1.0'],
  },
  'ThemeUpdate',
);
