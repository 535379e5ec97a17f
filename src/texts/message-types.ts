/* Types of codes and parameters, derived from the English messages. */
import type { MESSAGES_EN } from './messages.en.ts';
import type { WithoutPlural } from './text-table.ts';

type Texts = typeof MESSAGES_EN;
type MessageKey = keyof Texts;

/** Codes of messages: area, dot, what is wrong. Clients branch on them, and stored rows contain them: a code keeps its meaning. */
export type MessageCode = WithoutPlural<MessageKey>;

/** The German texts have the keys of the English ones. */
export type GermanTexts = Readonly<Record<MessageKey, string>>;

/** Hebrew has a form for two, too. */
export type HebrewTexts = GermanTexts & Readonly<Record<`${PluralCode}#two`, string>>;

type PluralCode = MessageKey extends infer Key ? (Key extends `${infer Base}#other` ? Base : never) : never;

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The parameters that the English text of a code has. */
export type ParameterNames<Code extends MessageCode> = {
  [Key in MessageKey]: WithoutPlural<Key> extends Code ? NamesIn<Texts[Key]> : never;
}[MessageKey];

/** The values of the parameters. `count` selects the plural form. */
export type MessageParams<Code extends MessageCode> = Readonly<
  Record<Exclude<ParameterNames<Code>, 'count'>, string | number> &
    (Code extends PluralCode ? { count: number } : Record<Extract<ParameterNames<Code>, 'count'>, string | number>)
>;
