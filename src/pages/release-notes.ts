import { html, raw } from 'hono/html';

/** Right-to-left languages among those of texts. */
const RIGHT_TO_LEFT = ['ar', 'fa', 'he', 'ur'];

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
  const direction = RIGHT_TO_LEFT.includes(notes.locale) ? 'rtl' : 'ltr';
  return String(
    await html`<!doctype html>
<html lang="${notes.locale}" dir="${direction}">
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
