import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { type LocalText, localText } from './local-text.ts';

/** The name of the category that every installation has, in English only. */
const BUILT_IN = 'Other';

/** The name of a category. The built-in one has a name in each language of the interface. */
export const categoryName = (ui: Ui, name: LocalText): Html =>
  name.value === BUILT_IN ? ui.t('catalogue.category.other') : localText(ui, name);

/** The name of a category without elements; null without a name. */
export const plainCategoryName = (ui: Ui, name: LocalText): Html | string | null =>
  name.value === BUILT_IN ? ui.t('catalogue.category.other') : name.value;
