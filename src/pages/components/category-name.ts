import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { type LocalText, localText } from './local-text.ts';

/** The category that every installation has; an operator may give it another name. */
const BUILT_IN = { slug: 'other', name: 'Other' };

interface NamedCategory {
  slug: string;
  name: LocalText;
}

const isBuiltIn = ({ slug, name }: NamedCategory): boolean => slug === BUILT_IN.slug && name.value === BUILT_IN.name;

/** The name of a category. The built-in one has a name in each language of the interface. */
export const categoryName = (ui: Ui, category: NamedCategory): Html =>
  isBuiltIn(category) ? ui.t('catalogue.category.other') : localText(ui, category.name);

/** The name of a category without elements; null without a name. */
export const plainCategoryName = (ui: Ui, category: NamedCategory): Html | string | null =>
  isBuiltIn(category) ? ui.t('catalogue.category.other') : category.name.value;
