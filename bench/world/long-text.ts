/* Long texts of one add-on of the demo, to see how pages show them. */

const FEATURES: readonly (readonly [name: string, text: string])[] = [
  [
    'Reading aloud',
    'The add-on reads an article with the voices of your system, skips menus and captions, and marks each sentence.',
  ],
  [
    'Annotations',
    'Mark any passage in one of six colours and write next to it. Annotations survive changes of the page: they are found again by the words around them.',
  ],
  [
    'Progress',
    'A thin line below the address bar shows how much of the article is left, counted in words and not in pixels.',
  ],
  [
    'Footnotes',
    'Links of an article are numbered and listed below it, so that a printed page still says where they lead.',
  ],
  ['Reading list', 'Articles that you leave unfinished are kept in a list with the place where you stopped.'],
  ['Search', 'Search all articles that you have annotated, by their words and by yours.'],
  ['Export', 'Write annotations as plain text, as a table or as a bibliography. The file is made on your machine.'],
  [
    'Keyboard',
    'Every action has a key, and every key can be changed. No key is taken from the page while you write in it.',
  ],
];

const ROUTINE = [
  'Open an article and press the button. The add-on takes the text of the article and leaves out what surrounds it.',
  'Choose the width of the column, the size of the letters and the distance of the lines. The choice is kept for each site.',
  'Read, or listen. Press the space bar to stop, and the arrow keys to move by sentences.',
];

const QUESTIONS: readonly (readonly [question: string, reply: string])[] = [
  [
    'Why does it need access to all sites?',
    'It runs only on the page on which you press the button, but that can be any page.',
  ],
  ['Where are my annotations?', 'In the storage of the browser, on your device. The export is the only way out.'],
  ['Does it work without a network?', 'Yes. A kept article needs no network at all.'],
  [
    'A page is cut off. What can I do?',
    'Report the address on the support page. Rules for single sites are part of each version.',
  ],
];

/** A description with headings, lists, quotations, code and links. */
export const LONG_TEXT = [
  'A reader for people who read long articles to the end: quietly, with notes, and without losing the place.',
  '<strong>How it works</strong>',
  `<ol>${ROUTINE.map((step) => `<li>${step}</li>`).join('')}</ol>`,
  ...FEATURES.flatMap(([name, text]) => [
    `<strong>${name}</strong>`,
    text,
    `<ul><li>Works with ${name.toLowerCase()} switched off, too.</li><li>Can be set for each site.</li></ul>`,
  ]),
  '<blockquote>I have read three books of five hundred pages with it, and found every note again.</blockquote>',
  '<strong>Questions</strong>',
  ...QUESTIONS.map(([question, reply]) => `<em>${question}</em>\n${reply}`),
  'The format of exported notes is described at <a href="https://reader.example.org/format">reader.example.org</a>. A line of it is <code>31 January|https://example.org/a-very-long-address-without-any-place-to-break-it/index.html|yellow|the words that were marked</code>.',
].join('\n\n');

const CLAUSES = [
  'You may install and use the add-on on any number of devices, for any purpose, without payment.',
  'You may copy it and pass it on unchanged, with this text.',
  'The texts that you read and the notes that you write belong to you or their authors. The makers of the add-on claim no right to them.',
  'The add-on comes as it is. The makers do not promise that it reads every page correctly.',
  'The makers are liable for damage that they cause on purpose or by gross negligence, as the law requires.',
  'If a clause of this text is invalid, the others stay valid.',
];

/** An end-user licence agreement of several numbered clauses. */
export const LONG_TERMS = CLAUSES.map((clause, index) => `${index + 1}. ${clause}`).join('\n\n');
