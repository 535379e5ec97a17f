import { VALIDATING_SLUG } from '../../src/demo/demo-catalogue.ts';
import { type AddonLine, addonLine, type WorldAddon } from './addon-line.ts';
import { DEMO_DEVELOPER } from './authors.ts';
import { BOOKS } from './phrase-books.ts';
import { type Subject, TOOLS } from './phrases/phrase-book.ts';
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
      files: version.files.map((file) => ({ ...file, status: fileStatus })),
    })),
  });

/** Extensions in states other than public. Their subjects and tools are pairs that the public ones leave out. */
const EXTENSIONS: readonly [slug: string, subject: Subject, change: Change][] = [
  ['nominated-sorter', 'tabs', inStatus('nominated', AWAITING_REVIEW)],
  ['nominated-finder', 'cookies', inStatus('nominated', AWAITING_REVIEW)],
  ['unreviewed-keeper', 'passwords', inStatus('unreviewed', AWAITING_REVIEW)],
  ['disabled-guard', 'downloads', inStatus('disabled', DISABLED)],
  ['withdrawn-cleaner', 'bookmarks', (line) => ({ ...line, is_disabled_by_developer: true })],
  ['empty-counter', 'pictures', (line) => ({ ...line, status: 'incomplete', versions: [] })],
  [
    'unlisted-courier',
    'forms',
    (line) => ({
      ...line,
      status: 'incomplete',
      versions: line.versions.map((version) => ({ ...version, channel: 'unlisted', reviewed: null })),
    }),
  ],
  [
    'mixed-keys',
    'feeds',
    (line) => ({
      ...line,
      versions: line.versions.map((version, index) => (index === 0 ? { ...version, channel: 'unlisted' } : version)),
    }),
  ],
  [
    'deleted-diary',
    'notes',
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
    'videos',
    (line) => ({
      ...line,
      versions: line.versions.map((version, index) => (index === 0 ? { ...version, deleted: true } : version)),
    }),
  ],
  [
    VALIDATING_SLUG,
    'fonts',
    (line) => ({
      ...line,
      status: 'incomplete',
      versions: line.versions.slice(0, 1).map((version) => ({ ...version, channel: 'unlisted', reviewed: null })),
    }),
  ],
];

const PERSONAS = ['pending', 'rejected', 'review-pending'] as const;

/** Add-ons of the demo's developer in every state that the public catalogue does not show. */
export function edgeCaseAddons(until: Date): WorldAddon[] {
  const make = (slug: string, plan: AddonPlan): WorldAddon => {
    const random = randomFor('unusual', slug);
    const line = addonLine({
      plan,
      guid: `${slug}@world.example`,
      slug,
      books: BOOKS,
      random,
      until,
      authors: [DEMO_DEVELOPER],
      users: random.between(0, 40),
      versionCount: 2,
    });
    return { plan, line };
  };
  return [
    ...EXTENSIONS.map(([slug, subject, change], index) => {
      const { plan, line } = make(slug, extensionPlan(subject, TOOLS[index % TOOLS.length] ?? 'sorter'));
      return { plan, line: change(line) };
    }),
    ...PERSONAS.map((status) => {
      const { plan, line } = make(`${status}-persona`, themePlan('persona', 'clouds', 'grey', true));
      return { plan, line: { ...line, status } };
    }),
  ];
}
