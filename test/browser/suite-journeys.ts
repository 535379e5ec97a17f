import { openContext } from './chromium.ts';
import { accountJourneys } from './journeys/accounts.ts';
import { catalogueJourneys } from './journeys/catalogue.ts';
import type { Journey, Traveller } from './journeys/journey.ts';
import { maintenanceJourneys } from './journeys/maintenance.ts';
import { recordJourneys } from './journeys/records.ts';
import { eachOf } from './report.ts';
import { signIn } from './roles.ts';
import { type Setting, TOGETHER } from './setting.ts';

/** All journeys. */
const JOURNEYS: readonly Journey[] = [
  ...catalogueJourneys,
  ...recordJourneys,
  ...maintenanceJourneys,
  ...accountJourneys,
];

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
    const open: Traveller['open'] = async (role, options = {}) => {
      const storageState = await signIn(browser, origin, role, problems);
      const session = { origin, problems, storageState, javaScriptEnabled: hasScripts };
      const context = await openContext(browser, { ...session, ...options });
      closing.push(() => context.close());
      return context.newPage();
    };
    try {
      await journey.run({ open, hasScripts, suffix: hasScripts ? 'a' : 'b', setting });
    } finally {
      for (const close of closing) await close();
      found.push(...problems.filter((problem) => journey.expects?.test(problem) !== true));
    }
  });
}
