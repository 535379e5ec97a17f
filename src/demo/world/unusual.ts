import { TOOLS } from '../phrases/phrase-book.ts';
import { type AddonLine, addonLine, type WorldAddon } from './addon-line.ts';
import { BOOKS } from './books.ts';
import type { Maker } from './makers.ts';
import { type AddonPlan, extensionPlan, themePlan } from './plan.ts';
import { randomFor } from './random.ts';

/** A change that makes an ordinary line unusual. */
type Change = (line: AddonLine) => AddonLine;

const AWAITING_REVIEW = 1;
const DISABLED = 5;

/** Sets the status of the add-on and of all files. */
const inStatus =
  (status: string, fileStatus: number): Change =>
  (line) => ({
    ...line,
    status,
    versions: line.versions.map((version) => ({
      ...version,
      reviewed: fileStatus === AWAITING_REVIEW ? null : version.reviewed,
      files: (version.files as object[]).map((file) => ({ ...file, status: fileStatus })),
    })),
  });

/** Extensions in states other than public. */
const EXTENSIONS: readonly [slug: string, change: Change][] = [
  ['nominated-sorter', inStatus('nominated', AWAITING_REVIEW)],
  ['nominated-finder', inStatus('nominated', AWAITING_REVIEW)],
  ['unreviewed-keeper', inStatus('unreviewed', AWAITING_REVIEW)],
  ['disabled-guard', inStatus('disabled', DISABLED)],
  ['withdrawn-cleaner', (line) => ({ ...line, is_disabled_by_developer: true })],
  ['empty-counter', (line) => ({ ...line, status: 'incomplete', versions: [] })],
  [
    'unlisted-courier',
    (line) => ({
      ...line,
      status: 'incomplete',
      versions: line.versions.map((version) => ({ ...version, channel: 'unlisted', reviewed: null })),
    }),
  ],
  [
    'mixed-keys',
    (line) => ({
      ...line,
      versions: line.versions.map((version, index) => (index === 0 ? { ...version, channel: 'unlisted' } : version)),
    }),
  ],
  [
    'deleted-diary',
    (line) => ({
      ...line,
      status: 'deleted',
      deleted: true,
      slug: null,
      versions: line.versions.map((version) => ({ ...version, deleted: true })),
    }),
  ],
  [
    'half-deleted-printer',
    (line) => ({
      ...line,
      versions: line.versions.map((version, index) => (index === 0 ? { ...version, deleted: true } : version)),
    }),
  ],
];

const PERSONAS = ['pending', 'rejected', 'review-pending'] as const;

/** Add-ons in every state that the public catalogue does not show. */
export function unusualAddons(known: readonly Maker[], until: Date): WorldAddon[] {
  const make = (slug: string, plan: AddonPlan): WorldAddon => {
    const random = randomFor('unusual', slug);
    const line = addonLine({
      plan,
      guid: `${slug}@world.example`,
      slug,
      books: BOOKS,
      random,
      until,
      authors: [random.pick(known).username],
      users: random.between(0, 40),
      versionCount: 2,
    });
    return { plan, line };
  };
  return [
    ...EXTENSIONS.map(([slug, change], index) => {
      const { plan, line } = make(slug, extensionPlan('notes', TOOLS[index] ?? 'sorter'));
      return { plan, line: change(line) };
    }),
    ...PERSONAS.map((status) => {
      const { plan, line } = make(`${status}-persona`, themePlan('persona', 'clouds', 'grey', true));
      return { plan, line: { ...line, status } };
    }),
  ];
}
