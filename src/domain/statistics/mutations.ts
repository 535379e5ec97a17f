import { requirePermission } from '../../auth/permissions.ts';
import { refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { mutation } from '../../graphql/mutation.ts';
import { message } from '../../texts/messages.ts';
import { LineError } from '../transfer/line-error.ts';
import { recordStatistics } from './import-statistics.ts';
import { type DailyNumbers, readNumbers } from './read-statistics.ts';

/** Larger imports use the command line. */
const MAX_ROWS = 1_000;

const RatingsInput = builder.inputType('RatingsInput', {
  description: 'Ratings of an add-on since its creation.',
  fields: (t) => ({
    count: t.int({ required: true, description: 'Number of ratings.' }),
    textCount: t.int({ required: true, description: 'Number of ratings with a text.' }),
    average: t.float({ required: true, description: 'Mean rating, 0 to 5.' }),
  }),
});

const DailyStatisticsInput = builder.inputType('DailyStatisticsInput', {
  description: 'The numbers of one add-on on one day.',
  fields: (t) => ({
    guid: t.string({ required: true, description: 'The guid of the add-on.' }),
    date: t.field({ type: 'Date', required: true, description: 'The day, in UTC.' }),
    users: t.int({ required: true, description: 'Number of active users on that day.' }),
    downloads: t.int({ required: true, description: 'Number of downloads on that day.' }),
    ratings: t.field({ type: RatingsInput, description: 'Ratings up to that day; unchanged when absent.' }),
  }),
});

type Row = (typeof DailyStatisticsInput)['$inferInput'];

/** Applies the checks of an imported line. */
function readRow({ guid, date, users, downloads, ratings }: Row, index: number): DailyNumbers {
  const totals = ratings && {
    rating_count: ratings.count,
    rating_text_count: ratings.textCount,
    rating_average: Math.round(ratings.average * 1e6) / 1e6,
  };
  try {
    return readNumbers({ guid, date, users, downloads, ...totals });
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    throw refusedField('rows', message('statistics.invalid_row', { row: index, problem: error.message }));
  }
}

mutation('recordStatistics', {
  description: 'Stores daily users, downloads and ratings, and updates the catalogue. Requires Admin:Catalogue.',
  input: 'Daily numbers to store.',
  inputFields: (t) => ({
    rows: t.field({
      type: [DailyStatisticsInput],
      required: true,
      description: 'At most 1,000 rows; all or none are stored.',
    }),
  }),
  resolve: async ({ rows }, { viewer }) => {
    const actor = requirePermission(viewer, 'Admin:Catalogue');
    if (rows.length > MAX_ROWS) throw refusedField('rows', message('field.too_many_entries', { count: MAX_ROWS }));
    return recordStatistics(actor, rows.map(readRow));
  },
  payloadFields: (t) => ({
    rows: t.exposeInt('rows', { description: 'Number of stored rows.' }),
    changed: t.exposeInt('addons', { description: 'Number of add-ons whose numbers in the catalogue changed.' }),
  }),
});
