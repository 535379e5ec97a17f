import { requireCatalogueKeeper } from '../../auth/permissions.ts';
import { InvalidInputError, NotPermittedError, refusedField } from '../../errors.ts';
import { builder, formatDate } from '../../graphql/builder.ts';
import { type ImportedStatistics, recordStatistics } from './import-statistics.ts';
import { type DailyNumbers, readNumbers, UnreadableLine } from './read-statistics.ts';

/** As many days fit into a request by far; files of more are for the command line. */
const MOST_ROWS = 1_000;

const RatingsInput = builder.inputType('RatingsInput', {
  description: 'What users think of an add-on, of all time.',
  fields: (t) => ({
    count: t.int({ required: true }),
    textCount: t.int({ required: true, description: 'Those with a text.' }),
    average: t.float({ required: true, description: '0 to 5.' }),
  }),
});

const DailyStatisticsInput = builder.inputType('DailyStatisticsInput', {
  description: 'What was counted of an add-on on one day.',
  fields: (t) => ({
    guid: t.string({ required: true }),
    date: t.field({ type: 'DateTime', required: true, description: 'Its day in UTC counts.' }),
    users: t.int({ required: true }),
    downloads: t.int({ required: true }),
    ratings: t.field({ type: RatingsInput }),
  }),
});

const RecordStatisticsInput = builder.inputType('RecordStatisticsInput', {
  fields: (t) => ({
    rows: t.field({
      type: [DailyStatisticsInput],
      required: true,
      description: 'At most 1,000; all or none are stored.',
    }),
  }),
});

const RecordStatisticsPayload = builder.objectRef<ImportedStatistics>('RecordStatisticsPayload').implement({
  fields: (t) => ({
    rows: t.exposeInt('rows', { description: 'Days that were stored.' }),
    changed: t.exposeInt('addons', { description: 'Add-ons whose numbers in the catalogue have changed by them.' }),
  }),
});

type Row = (typeof DailyStatisticsInput)['$inferInput'];

/** The same checks as for a line of a file. */
function readRow({ guid, date, users, downloads, ratings }: Row, index: number): DailyNumbers {
  const values = new Map<string, unknown>(
    Object.entries({ guid, date: formatDate(date).slice(0, 10), users, downloads }),
  );
  if (ratings) {
    values.set('rating_count', ratings.count);
    values.set('rating_text_count', ratings.textCount);
    values.set('rating_average', Math.round(ratings.average * 1e6) / 1e6);
  }
  try {
    return readNumbers(values);
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error;
    throw refusedField('rows', `rows[${index}]: ${error.message}`);
  }
}

builder.mutationField('recordStatistics', (t) =>
  t.field({
    type: RecordStatisticsPayload,
    description:
      'Stores daily users, downloads and ratings, and updates the catalogue; for holders of Admin:Catalogue.',
    args: { input: t.arg({ type: RecordStatisticsInput, required: true }) },
    errors: { types: [InvalidInputError, NotPermittedError], union: { name: 'RecordStatisticsResult' } },
    resolve: async (_root, { input: { rows } }, { viewer }) => {
      const actor = requireCatalogueKeeper(viewer);
      if (rows.length > MOST_ROWS) {
        const message = `Please use no more than ${MOST_ROWS} entries.`;
        throw refusedField('rows', message);
      }
      return recordStatistics(actor, rows.map(readRow));
    },
  }),
);
