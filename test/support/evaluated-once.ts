/**
 * Where modules are that keep no state and import none elsewhere. A process that runs many test files evaluates them once; the others
 * are evaluated again for each file. They are the texts, what is generated, the schemas of settings and the words of searches.
 */
export const EVALUATED_ONCE = [
  'src/domain/search/analysis/',
  'src/errors.ts',
  'src/generated/',
  'src/settings/',
  'src/texts/',
];
