import { html } from 'hono/html';
import { SourceFileDocument, SourceFilesDocument } from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { segmentParam } from '../../http/params.ts';
import { addonName, addonPath, toCanonical } from '../catalogue/addon-head.ts';
import { addonHeader } from '../catalogue/addon-header.ts';
import { changedQuery, pathOf } from '../catalogue/addresses.ts';
import { fileName } from '../components/file-name.ts';
import { shortcuts } from '../components/shortcuts.ts';
import { page } from '../page.ts';
import { fileQuery, fileVariables, fileView, pictureFile, rawFile } from './file-view.ts';
import { contentsTree, folderView } from './folder-view.ts';
import { reviewOf } from './line-comments.ts';

/** The files of the source code that is attached to a version, for those who may download it. */
export const sourcePage = page({
  path: '/addon/:ref/versions/:version/source/',
  visitor: 'all',
  hidesRefusals: true,
  limit: 'page-code',
  params: { ref: segmentParam('Slug, guid or id of the add-on.'), version: segmentParam('Version number.') },
  query: fileQuery,
  document: SourceFilesDocument,
  variables: ({ path }) => ({ by: addonReference(path.ref), version: path.version }),
  more: {
    document: SourceFileDocument,
    variables: ({ addon }, { query }) =>
      query.file !== null && addon?.version?.source?.contents
        ? { version: addon.version.id, ...fileVariables(query.file, query) }
        : null,
  },
  view: ({ addon }, input, ui, more) => {
    const version = addon?.version ?? null;
    const source = version?.source ?? null;
    if (addon === null || version === null || source?.contents == null) return null;
    const { query, search } = input;
    const file = more?.version?.source?.contents?.file ?? null;
    if (query.file !== null && file === null) return null;
    if (file !== null && query.picture !== null) return pictureFile(file);
    if (file !== null && query.raw !== null) return rawFile(file);
    const rest = `versions/${encodeURIComponent(version.version)}/source/`;
    const hrefOf = (changes: Record<string, string | null>) => addonPath(addon, rest) + changedQuery(search, changes);
    const shown = { ui, contents: source.contents, query, hrefOf, messages: [], versionUrl: version.url };
    const body = file === null ? folderView(shown) : fileView(shown, file);
    if (body === null) return null;
    const { fileCount, size } = source.contents;
    const link = html`<a href="${pathOf(version.url)}"><bdi dir="ltr">${version.version}</bdi></a>`;
    return (
      toCanonical(addon, input, rest) ?? {
        title: ui.t('code.source.title', { name: addonName(addon), version: version.version }),
        robots: 'noindex' as const,
        main: html`${addonHeader(ui, addon, { current: 'versions', title: ui.t('code.source') })}
<h1>${ui.t('code.source.heading', { version: link })}</h1>
${shortcuts(ui, reviewOf(addon, version))}
<p>${ui.t('code.files.sum', { count: fileCount, size: ui.format.bytes(size) })}</p>
<p>${fileName(source.name)} · ${ui.format.bytes(source.size)} · <code class="hash">${source.hash}</code></p>
<div class="columns with-tree"><div>${contentsTree(shown)}</div><div>${body}</div></div>`,
      }
    );
  },
});
