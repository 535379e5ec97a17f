/* Types of keys and parameters, derived from the English table of a kind of texts. */

/** The texts of a kind in one language, by key. A text with a plural has an entry for each form: `key#one`, `key#other`. */
export type LanguageTable = Readonly<Record<string, string>>;

type WithoutPlural<Entry> = Entry extends `${infer Key}#${string}` ? Key : Entry;

/** The keys of texts, without plural forms. */
export type TextKey<English> = WithoutPlural<keyof English & string>;

type PluralKey<English> = keyof English extends infer Entry
  ? Entry extends `${infer Key}#other`
    ? Key
    : never
  : never;

/** The German table of a kind has the entries of the English one. */
export type German<English> = Readonly<Record<keyof English & string, string>>;

/** Hebrew has a form for two, too. */
export type Hebrew<English> = German<English> & Readonly<Record<`${PluralKey<English>}#two`, string>>;

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

type EntryOf<English, Key extends string> = Key extends keyof English
  ? English[Key]
  : `${Key}#other` extends keyof English
    ? English[`${Key}#other` | (`${Key}#one` & keyof English)]
    : never;

/** The names of the parameters that the English text of a key has, and `count` for a plural. */
export type ParameterNames<English, Key extends string> =
  | NamesIn<EntryOf<English, Key>>
  | (Key extends PluralKey<English> ? 'count' : never);

/** The parameters of a text. `count` selects the plural form. */
export type TextParams<English, Key extends string, Value> = Readonly<
  Record<Exclude<ParameterNames<English, Key>, 'count'>, Value> &
    ([Extract<Key, PluralKey<English>>] extends [never]
      ? Record<Extract<ParameterNames<English, Key>, 'count'>, Value>
      : { count: number })
>;

/** The argument for the parameters of a text: none for a text without them. */
export type ParamsArgument<English, Key extends string, Value> =
  TextParams<English, Key, Value> extends infer All ? ([keyof All] extends [never] ? [] : [params: All]) : never;
