import { z } from 'zod';

/** Documentation of a setting, for docs/settings.md and `.env.example`. */
export interface SettingMeta {
  description: string;
  /** Can also be read from the file that `<NAME>_FILE` names. */
  secret?: boolean;
  group: string;
}

/** Schemas that settings share. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
export const url = z.url().transform((value) => value.replace(/\/+$/, ''));
export const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most);
export const wordList = z
  .string()
  .transform((text) => text.split(',').map((word) => word.trim()))
  .transform((words) => words.filter((word) => word !== ''));

export const meta = (group: string, description: string, secret = false): SettingMeta => ({
  group,
  description,
  secret,
});
