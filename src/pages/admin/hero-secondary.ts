import { html } from 'hono/html';
import {
  AdminHeroSecondaryPageDocument,
  type AdminHeroSecondaryPageQuery,
  AdminResetHeroSecondaryDocument,
  AdminUpdateHeroSecondaryDocument,
} from '../../generated/operations/graphql.ts';
import { changed, changedTexts, type FieldChange } from '../changes.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { type FormPart, formElement } from '../components/form.ts';
import { type FieldValues, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { expectedIn, type NamedText, textParts } from './names.ts';

type Secondary = AdminHeroSecondaryPageQuery['hero']['secondary'];
type Link = Secondary['cta'];

const MAX_TEXT = 1000;

const headOf = ({ t }: Ui, { headline, description }: Secondary): NamedText[] => [
  { name: 'headline', label: t('admin.hero.headline'), texts: headline, maxLength: MAX_TEXT },
  { name: 'description', label: t('admin.curated.text'), texts: description, maxLength: MAX_TEXT, rows: 3 },
];

const linkText = ({ t }: Ui, name: string, cta: Link): NamedText => ({
  ...{ name: `${name}.text`, label: t('admin.hero.link-text'), texts: cta?.text ?? null, maxLength: MAX_TEXT },
});

const moduleTexts = (ui: Ui, { modules }: Secondary): NamedText[][] =>
  modules.map(({ description, cta }, index) => [
    {
      ...{ name: `modules.${index}.description`, label: ui.t('admin.curated.text'), texts: description },
      ...{ maxLength: MAX_TEXT, rows: 2 },
    },
    linkText(ui, `modules.${index}.cta`, cta),
  ]);

const urlPart = ({ t }: Ui, name: string, cta: Link): FormPart => ({
  ...{ kind: 'url', name: `${name}.url`, value: cta?.url ?? null, maxLength: 255 },
  ...{ label: t('admin.hero.link-url'), hint: t('admin.hero.link-hint') },
});

/** The second part of home pages: texts, a link and three modules. */
export const heroSecondaryPage = page({
  path: '/admin/hero/secondary/',
  visitor: 'account',
  document: AdminHeroSecondaryPageDocument,
  variables: () => ({}),
  view: ({ hero: { secondary } }, _input, ui) => {
    const { t } = ui;
    const { cta, modules, isEdited } = secondary;
    const [head, link, parts] = [headOf(ui, secondary), linkText(ui, 'cta', cta), moduleTexts(ui, secondary)];
    const addresses = modules.flatMap((module, index) => [
      [`modules.${index}.icon`, module.icon] as const,
      [`modules.${index}.cta.url`, module.cta?.url ?? ''] as const,
    ]);
    return adminPage(ui, {
      tab: 'hero',
      heading: t('admin.hero.secondary'),
      title: String(t('admin.hero.secondary')),
      body: html`<p>${t(isEdited ? 'admin.hero.secondary-edited' : 'admin.hero.secondary-default')}</p>
${formElement(ui, {
  name: 'hero-secondary',
  expected: {
    ...expectedIn([...head, link]),
    ...Object.assign({}, ...parts.map((each) => expectedIn(each))),
    'cta.url': cta?.url ?? '',
    ...Object.fromEntries(addresses),
  },
  parts: [
    ...textParts([...head, link]),
    urlPart(ui, 'cta', cta),
    ...modules.map(
      (module, index): FormPart => ({
        kind: 'group',
        legend: t('admin.hero.module', { number: index + 1 }),
        parts: [
          {
            ...{ kind: 'url', name: `modules.${index}.icon`, label: t('admin.hero.icon'), value: module.icon },
            ...{ isRequired: true, maxLength: 255 },
          },
          ...textParts(parts[index] ?? [], { scope: `module-${index + 1}-` }),
          urlPart(ui, `modules.${index}.cta`, module.cta),
        ],
      }),
    ),
  ],
  submit: t('ui.save'),
})}
${
  isEdited &&
  html`<h2>${t('admin.hero.reset')}</h2>
${confirmForm(ui, {
  ...{ name: 'hero-reset', consequences: [t('admin.hero.reset-happens')] },
  ...{ submit: t('admin.hero.reset'), cancelHref: adminUrl('hero') },
})}`
}`,
    });
  },
});

const url = changed(textField);

const MODULE_FIELDS = [0, 1, 2].map((index) => ({
  [`modules.${index}.icon`]: url,
  [`modules.${index}.cta.url`]: url,
}));
const MODULE_TEXTS = [0, 1, 2].map((index) => ({
  [`modules.${index}.description`]: changedTexts,
  [`modules.${index}.cta.text`]: changedTexts,
}));

const FIELDS = { headline: changedTexts, description: changedTexts, 'cta.url': url, 'cta.text': changedTexts };

type Address = FieldChange<string> | null | undefined;
type Texts = FieldValues<typeof FIELDS>['headline'];

const linkIn = (change: Address, text: Texts | undefined) => ({
  ...(change == null ? {} : { url: change.value, expectedUrl: change.expected }),
  text: text ?? [],
});

export const heroSecondaryForm = form({
  page: heroSecondaryPage,
  name: 'hero-secondary',
  fields: { ...FIELDS, ...Object.assign({}, ...MODULE_FIELDS), ...Object.assign({}, ...MODULE_TEXTS) } as typeof FIELDS,
  document: AdminUpdateHeroSecondaryDocument,
  variables: ({ headline, description, 'cta.url': address, 'cta.text': words, ...others }) => {
    const read = others as Record<string, unknown>;
    return {
      input: {
        ...{ headline, description, cta: linkIn(address, words) },
        modules: [0, 1, 2].map((index) => {
          const icon = read[`modules.${index}.icon`] as Address;
          return {
            ...(icon == null ? {} : { icon: icon.value, expectedIcon: icon.expected }),
            description: read[`modules.${index}.description`] as Texts,
            cta: linkIn(read[`modules.${index}.cta.url`] as Address, read[`modules.${index}.cta.text`] as Texts),
          };
        }),
      },
    };
  },
});

export const resetHeroForm = form({
  page: heroSecondaryPage,
  name: 'hero-reset',
  fields: {},
  document: AdminResetHeroSecondaryDocument,
  variables: () => ({}),
  done: () => doneAt(adminUrl('hero'), 'hero-reset'),
});
