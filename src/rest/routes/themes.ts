import { ThemeUpdateDocument } from '../../generated/operations/graphql.ts';
import { recordId } from '../../http/params.ts';
import { themeUpdate } from '../json/themes.ts';
import { jsonReply, type Route, route } from '../route.ts';

const DAY = 86_400;

/** The `updateURL` of theme_data, where applications check for changes of a persona. */
const update = route({
  method: 'GET',
  path: '/themes/update-check/:id',
  summary: 'The current state of a persona',
  signIn: 'optional',
  outsideApi: true,
  params: { id: recordId('Id of the add-on.') },
  document: ThemeUpdateDocument,
  variables: ({ path }) => path,
  reply: ({ themeUpdate: persona }, { view }) => ({ ...jsonReply(themeUpdate.write(persona, view)), maxAge: DAY }),
  responses: { 200: { description: 'The persona.', schema: themeUpdate.schema } },
  refusals: [404],
});

export const themeRoutes: readonly Route[] = [update];
