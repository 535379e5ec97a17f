import { html, raw } from 'hono/html';
import { directionOf } from '../texts/languages.ts';

/** Release notes of a version. */
interface ReleaseNotes {
  slug: string;
  version: string;
  locale: string;
  /** Sanitised. */
  html: string;
}

/** The page with the release notes of a version. Add-on managers of browsers read it and show its body in their own style. */
export async function releaseNotesPage(notes: ReleaseNotes): Promise<string> {
  return String(
    await html`<!doctype html>
<html lang="${notes.locale}" dir="${directionOf(notes.locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${notes.slug} ${notes.version}</title>
</head>
<body>
<div>${raw(notes.html)}</div>
</body>
</html>
`,
  );
}
