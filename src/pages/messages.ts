/* What the service says about refusals, in the language of the interface. */
import { html } from 'hono/html';
import type { Html } from './html.ts';
import type { TextKey, TextValues } from './texts.ts';
import type { Ui } from './ui.ts';

/** Texts for the messages of the domain, which are English. Others are shown as they are. */
export const MESSAGES: Readonly<Record<string, TextKey>> = {
  'API keys need the developer agreement to be accepted.': 'message.agreement',
  'Developers of add-ons or themes cannot delete their account. You must delete all add-ons and themes linked to this account, or transfer them to other users.':
    'message.author-of-addons',
  'This field may not be blank.': 'message.blank',
  'Choose a file.': 'message.choose-file',
  'Control characters are not allowed.': 'message.control-characters',
  'This display name cannot be used.': 'message.display-name-denied',
  'A display name needs a visible character.': 'message.display-name-invisible',
  'The form is out of date.': 'message.form-out-of-date',
  'Images cannot be animated.': 'message.image-animated',
  'Upload a valid image. The file you uploaded was either not an image or a corrupted image.': 'message.image-broken',
  'Images must be either PNG or JPG.': 'message.image-format',
  'Images cannot have more than 16 million pixels.': 'message.image-huge',
  'Enter a valid URL.': 'message.invalid-url',
  'A label has at most 100 characters, none of them a control character.': 'message.key-label',
  'An account has at most 50 API keys. Revoke one that is not used any more.': 'message.keys-full',
  'No links are allowed.': 'message.no-links',
  'Not found.': 'message.not-found',
  'You do not have permission to perform this action.': 'message.not-permitted',
  'The form was sent from another site.': 'message.other-site',
  'This field is required.': 'message.required',
  'Your session has ended.': 'message.session-ended',
  'Your last sign-in was too long ago.': 'message.sign-in-old',
  'The service is temporarily unavailable.': 'message.unavailable',
  'Enter a valid username consisting of letters, numbers, underscores or hyphens.': 'message.username-characters',
  'This username cannot be used.': 'message.username-denied',
  'Usernames cannot contain only digits.': 'message.username-digits',
  'This username is already in use.': 'message.username-taken',
};

/** Messages with a value: the text, and its values. */
const PATTERNS: readonly { pattern: RegExp; text: TextKey; values(value: string): TextValues }[] = [
  {
    pattern: /^Ensure this (?:field has no more than|value has at most) (\d+) characters\b/,
    text: 'message.too-long',
    values: (limit) => ({ count: Number(limit) }),
  },
  {
    pattern: /^Request was throttled\. Expected available in (\d+) seconds?\.$/,
    text: 'message.throttled',
    values: (seconds) => ({ count: Number(seconds) }),
  },
  { pattern: /^The file is larger than (\d+ [KM]B)\.$/, text: 'message.file-too-large', values: (size) => ({ size }) },
  {
    pattern: /^Type "(.*)"\.$/,
    text: 'message.type-exactly',
    values: (name) => ({ text: html`<bdi>${name}</bdi>` }),
  },
];

/** A message of the domain in the language of the interface; marked as English where there is no translation. */
export function messageText({ t, language }: Pick<Ui, 't' | 'language'>, message: string): Html {
  const key = Object.hasOwn(MESSAGES, message) ? MESSAGES[message] : undefined;
  if (key !== undefined) return t(key);
  for (const { pattern, text, values } of PATTERNS) {
    const [, value] = pattern.exec(message) ?? [];
    if (value !== undefined) return t(text, values(value));
  }
  return language === 'en' ? html`${message}` : html`<span lang="en" dir="ltr">${message}</span>`;
}
