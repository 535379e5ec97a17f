/* The pages that show code. */
import { asEach, type Sample, type Samples } from './sample.ts';

const ADDON = '/addon/tab-notes/';

export const CODE_SAMPLES: Samples = {
  '/addon/:ref/versions/:version/files/': [
    ...asEach(`${ADDON}versions/1.1/files/`, 'developer', 'reviewer'),
    { path: `${ADDON}versions/1.1/files/?file=manifest.json`, role: 'developer' },
    { path: `${ADDON}versions/1.1/files/?file=note.js&pretty=1`, role: 'developer' },
    { path: '/addon/tab-notes/versions/1.2/files/?file=manifest.json&comment=2', role: 'reviewer' },
    ...['loading.gif', 'loading.webp'].map(
      (name): Sample => ({ path: ({ code }) => `${code}versions/2.0/files/?file=pictures/${name}`, role: 'developer' }),
    ),
    { path: ({ code }) => `${code}versions/2.0/files/?file=background.js&line=131`, role: 'developer' },
    {
      path: ({ code, comments }) =>
        `${code}versions/2.0/files/?file=background.js&comments=${encodeURIComponent(comments)}`,
      role: 'reviewer',
    },
    { path: `${ADDON}versions/1.1/files/`, status: 404 },
  ],
  '/addon/:ref/versions/:version/source/': [{ path: `${ADDON}versions/1.1/source/`, role: 'developer', status: 404 }],
  '/addon/:ref/compare/:range/': [
    ...asEach(`${ADDON}compare/1.0...1.1/`, 'developer', 'reviewer'),
    { path: `${ADDON}compare/1.0...1.1/?file=manifest.json`, role: 'developer' },
    { path: `${ADDON}compare/1.0...1.1/?all=1`, role: 'developer' },
    { path: ({ code }) => `${code}compare/1.0...2.0/?file=pictures/loading.png`, role: 'developer' },
    { path: `${ADDON}compare/1.0...1.1/`, status: 404 },
  ],
};
