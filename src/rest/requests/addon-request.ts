import { z } from 'zod';
import type { Application } from '../../generated/operations/graphql.ts';
import { message } from '../../texts/messages.ts';
import { APPLICATION_NAMES, applicationOf, INVALID_APP } from './applications.ts';
import {
  flag,
  isObject,
  type RequestField,
  type RequestFields,
  readList,
  text,
  textList,
  textOrNull,
  texts,
} from './request-fields.ts';

const slugs = z.array(z.string());

/** Categories by application, or a list of those of the desktop browser. */
const categories: RequestField = {
  field: 'namedCategories',
  aliases: ['categories'],
  schema: z.union([z.partialRecord(z.enum(APPLICATION_NAMES), slugs), slugs]).meta({
    description:
      'All category slugs by application, or a list of those of desktop_browser. They replace the present ones.',
  }),
  read: (value, refuse) => {
    const byName = Array.isArray(value) ? { desktop_browser: value } : value;
    if (!isObject(byName)) return refuse(message('compatibility.invalid_range'));
    const chosen: { app: Application; slug: string }[] = [];
    for (const [name, list] of Object.entries(byName)) {
      const app = applicationOf(name);
      if (app === undefined) return refuse(INVALID_APP);
      const read = readList(list, refuse);
      if (read === undefined) return undefined;
      chosen.push(...read.map((slug) => ({ app, slug })));
    }
    return chosen;
  },
};

/** The keys of an Add-on request, without `version`. */
export const ADDON_REQUEST: RequestFields = {
  categories,
  contributions_url: textOrNull('contributionsUrl', 'Web address; null removes it.'),
  default_locale: text('defaultLocale', 'Language of the fallback texts.'),
  description: texts('description', 'May contain HTML.'),
  developer_comments: texts('developerComments', 'May contain HTML.'),
  homepage: texts('homepage', 'Web address.'),
  is_disabled: flag('isDisabled', 'Whether its developers disable it.'),
  is_experimental: flag('isExperimental', 'Whether the developers call it experimental.'),
  name: texts('name', 'At most 50 characters.'),
  requires_payment: flag('requiresPayment', 'Whether it needs payment, paid services or additional hardware.'),
  slug: text('slug', 'At most 30 letters, digits, hyphens and underscores; not digits alone.'),
  summary: texts('summary', 'Plain text of at most 250 characters.'),
  support_email: texts('supportEmail', 'E-mail address.'),
  support_url: texts('supportUrl', 'Web address.'),
  tags: textList('tags', 'All tags, at most 20. They replace the present ones.'),
};
