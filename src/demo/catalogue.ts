import type { TextsByLocale } from '../domain/addons/localized-text.ts';
import type { Channel } from '../package/enums.ts';
import type { DemoUsername } from './accounts.ts';
import type { OwnPictures } from './own-pictures.ts';
import {
  brokenClock,
  demoDictionary,
  eveningSky,
  languagePack,
  marginNotes,
  openSearchDescription,
  type PackageFiles,
  readingTime,
  searchExtension,
  tabNotes,
} from './packages.ts';

/** A version of the demo: its channel and the stage that it must reach. */
export interface DemoVersion {
  version: string;
  channel: Channel;
  end: 'signed' | 'awaiting_review' | 'rejected' | 'invalid';
  /** Comments of the reviewer. */
  comments?: string;
  /** Review thread of a version that awaits review, oldest first. */
  thread?: { by: 'author' | 'reviewer'; text: string }[];
}

/** An add-on of the demo. Its first version is always unlisted; with a listing, further versions can be listed. */
export interface DemoAddon {
  guid: string;
  author: DemoUsername;
  fileName: string;
  /** `pictures` has files of the package. */
  build(guid: string, version: string, pictures: OwnPictures): PackageFiles | Buffer;
  listing?: DemoListing;
  versions: DemoVersion[];
}

/** The listing of an add-on, which has an icon among the pictures of the demo. Plain texts are in its default language. */
export interface DemoListing {
  slug: string;
  name?: TextsByLocale;
  summary: string | TextsByLocale;
  description: string | TextsByLocale;
  eula?: string;
  privacyPolicy?: string;
  /** Whether it has previews. */
  hasPreviews?: boolean;
  license: string;
  tags: string[];
}

const unlisted = (version: string, end: DemoVersion['end'] = 'signed'): DemoVersion => ({
  version,
  channel: 'unlisted',
  end,
});

const listed = (version: string, end: DemoVersion['end'], comments?: string): DemoVersion => ({
  version,
  channel: 'listed',
  end,
  ...(comments === undefined ? {} : { comments }),
});

/** The add-ons that the demo publishes, in this order. */
export const CATALOGUE: DemoAddon[] = [
  {
    guid: 'tab-notes@demo.example',
    author: 'demo-developer',
    fileName: 'tab-notes.zip',
    build: tabNotes,
    listing: {
      slug: 'tab-notes',
      name: { he: 'פתקים ללשוניות' },
      summary: {
        'en-US': 'Keeps a note for each page.',
        de: 'Merkt sich zu jeder Seite eine Notiz.',
        he: 'שומר פתק לכל דף.',
      },
      description: {
        'en-US': 'Open the button, write, close it: the note is there the next time.',
        de: 'Schaltfläche öffnen, schreiben, schließen: Beim nächsten Mal ist die Notiz wieder da.',
        he: 'לוחצים על הכפתור, כותבים וסוגרים: בפעם הבאה הפתק יחכה שם.',
      },
      license: 'MPL-2.0',
      hasPreviews: true,
      tags: ['notes', 'tabs'],
    },
    versions: [
      unlisted('1.0'),
      listed('1.1', 'signed', 'Small, clear, asks for little. Thank you.'),
      {
        ...listed('1.2', 'awaiting_review'),
        thread: [
          { by: 'reviewer', text: 'The new version asks for activeTab. Which action of the user needs it?' },
          { by: 'author', text: 'The button: it reads the address of the page, to show the note that belongs to it.' },
          { by: 'reviewer', text: 'Thank you. Please say so in the description, in a sentence. Then it is ready.' },
        ],
      },
    ],
  },
  {
    guid: 'evening-sky@demo.example',
    author: 'demo-developer-2',
    fileName: 'evening-sky.xpi',
    build: eveningSky,
    listing: {
      slug: 'evening-sky',
      summary: 'Blue hour for the browser.',
      description: 'Dark blue tabs under the last light of the day.',
      license: 'CC-BY-4.0',
      tags: ['theme', 'dark', 'blue'],
    },
    versions: [unlisted('1.0'), listed('1.1', 'signed', 'Readable in all states.')],
  },
  {
    guid: 'reading-time@demo.example',
    author: 'demo-developer',
    fileName: 'reading-time.xpi',
    build: readingTime,
    listing: {
      slug: 'reading-time',
      summary: {
        'en-US': 'Shows how long an article takes to read.',
        de: 'Zeigt, wie lange die Lektüre eines Artikels dauert.',
        he: 'מציג כמה זמן ייקח לקרוא מאמר.',
      },
      description: 'Counts the words of a page and writes the minutes before its title.',
      eula: 'You may use this add-on for any purpose. It counts words, and takes no responsibility for slow readers.',
      privacyPolicy: 'The add-on stores nothing and sends nothing.',
      license: 'MIT',
      hasPreviews: true,
      tags: ['pages', 'reading'],
    },
    versions: [
      unlisted('1.0'),
      listed('1.1', 'signed', 'Works as described.'),
      listed('1.2', 'rejected', 'Please say in the description which pages the script runs on, and upload it again.'),
    ],
  },
  {
    guid: 'margin-notes@demo.example',
    author: 'demo-developer',
    fileName: 'margin-notes.xpi',
    build: marginNotes,
    listing: {
      slug: 'margin-notes',
      summary: 'Shows who an article quotes, in the margin.',
      description: 'Finds quotations in a page and lists their sources next to them.',
      license: 'MIT',
      tags: ['pages', 'quotations'],
    },
    versions: [unlisted('0.9'), listed('1.0', 'awaiting_review')],
  },
  {
    guid: 'en-us@dictionaries.demo.example',
    author: 'demo-developer-2',
    fileName: 'dictionary-en-us.xpi',
    build: demoDictionary,
    listing: {
      slug: 'small-english-dictionary',
      summary: 'A spelling dictionary with a handful of words.',
      description: 'Made to show what a dictionary looks like.',
      license: 'CC0-1.0',
      tags: ['spelling'],
    },
    versions: [unlisted('1.0'), listed('1.1', 'signed')],
  },
  {
    guid: 'langpack-de@demo.example',
    author: 'demo-developer-2',
    fileName: 'langpack-de.xpi',
    build: languagePack,
    listing: {
      slug: 'sprachpaket-deutsch',
      summary: 'German for one version of the browser.',
      description: 'Made to show what a language pack looks like.',
      license: 'MPL-2.0',
      tags: [],
    },
    versions: [unlisted('64.0'), listed('64.0.1', 'signed')],
  },
  {
    guid: 'words@demo.example',
    author: 'demo-developer',
    fileName: 'example-words.xml',
    build: openSearchDescription,
    listing: {
      slug: 'example-words',
      summary: 'Looks up a word.',
      description: 'A search engine of the old kind: one XML file, published without a signature.',
      license: 'all-rights-reserved',
      tags: ['search', 'old-words'],
    },
    versions: [unlisted('1.0'), listed('1.1', 'signed')],
  },
  {
    guid: 'encyclopedia-search@demo.example',
    author: 'demo-developer',
    fileName: 'encyclopedia-search.xpi',
    build: searchExtension,
    versions: [unlisted('1.0'), unlisted('1.1')],
  },
  {
    guid: 'broken-clock@demo.example',
    author: 'demo-developer',
    fileName: 'broken-clock.xpi',
    build: brokenClock,
    versions: [unlisted('1.0', 'invalid')],
  },
];
