/* Types of codes and parameters, derived from the English messages. */
import type { MESSAGES_EN } from './messages.en.ts';
import type { German, Hebrew, ParameterNames, TextKey, TextParams } from './text-types.ts';

type Texts = typeof MESSAGES_EN;

/** Codes of messages: area, dot, what is wrong. Clients branch on them, and stored rows contain them: a code keeps its meaning. */
export type MessageCode = TextKey<Texts>;

export type GermanTexts = German<Texts>;
export type HebrewTexts = Hebrew<Texts>;

/** The parameters that the English text of a code has. */
export type MessageParameterNames<Code extends MessageCode> = ParameterNames<Texts, Code>;

/** The values of the parameters. `count` selects the plural form. */
export type MessageParams<Code extends MessageCode> = TextParams<Texts, Code, string | number>;
