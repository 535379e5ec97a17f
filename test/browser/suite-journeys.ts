import { createAccount, openSession } from './accounts.ts';
import { openContext } from './chromium.ts';
import { accountJourneys } from './journeys/accounts.ts';
import { administeringJourneys } from './journeys/administering.ts';
import { catalogueJourneys } from './journeys/catalogue.ts';
import { collectingJourneys } from './journeys/collecting.ts';
import { formJourneys } from './journeys/forms.ts';
import type { Journey, Traveller } from './journeys/journey.ts';
import { listingJourneys } from './journeys/listing.ts';
import { maintenanceJourneys } from './journeys/maintenance.ts';
import { moderatingJourneys } from './journeys/moderating.ts';
import { publishingJourneys } from './journeys/publishing.ts';
import { ratingJourneys } from './journeys/rating.ts';
import { recordJourneys } from './journeys/records.ts';
import { reviewingJourneys } from './journeys/reviewing.ts';
import { visitorJourneys } from './journeys/visitors.ts';
import { waitingJourneys } from './journeys/waiting.ts';
import { eachOf } from './report.ts';
import type { Setting } from './setting.ts';

/** All journeys. */
const JOURNEYS: readonly Journey[] = [
  ...publishingJourneys,
  ...reviewingJourneys,
  ...waitingJourneys,
  ...moderatingJourneys,
  ...ratingJourneys,
  ...collectingJourneys,
  ...listingJourneys,
  ...catalogueJourneys,
  ...recordJourneys,
  ...maintenanceJourneys,
  ...administeringJourneys,
  ...accountJourneys,
  ...visitorJourneys,
  ...formJourneys,
];

/** Number of journeys at the same time. They often wait for jobs. */
const TOGETHER = 3;

/** Runs every journey with scripts, and also without them where that is possible. */
export async function runJourneys(setting: Setting): Promise<void> {
  const runs = JOURNEYS.flatMap((journey) =>
    (journey.needsScripts ? [true] : [true, false]).map((hasScripts) => ({ journey, hasScripts })),
  );
  const alone = runs.filter(({ journey }) => journey.isAlone);
  const others = runs.filter(({ journey }) => !journey.isAlone);
  await eachOf(others, TOGETHER, ({ journey, hasScripts }) => runJourney(journey, hasScripts, setting));
  await eachOf(alone, 1, ({ journey, hasScripts }) => runJourney(journey, hasScripts, setting));
}

function runJourney(journey: Journey, hasScripts: boolean, setting: Setting): Promise<void> {
  const { browser, service, report } = setting;
  const origin = service.url;
  return report.check(`${journey.name}${hasScripts ? '' : ', without scripts'}`, async (found) => {
    const problems: string[] = [];
    const closing: (() => Promise<void>)[] = [];
    const open: Traveller['open'] = async (visitor, options = {}) => {
      const storageState = typeof visitor === 'string' ? await openSession(origin, visitor) : visitor.cookies;
      const session = { origin, problems, storageState, javaScriptEnabled: hasScripts };
      const context = await openContext(browser, { ...session, ...options });
      closing.push(() => context.close());
      return context.newPage();
    };
    const account: Traveller['account'] = (group) =>
      createAccount(origin, setting.cookies.administrator, group ?? null);
    try {
      await journey.run({ account, open, hasScripts, suffix: hasScripts ? 'a' : 'b', setting });
    } finally {
      for (const close of closing) await close();
      found.push(...problems.filter((problem) => journey.expects?.test(problem) !== true));
    }
  });
}
