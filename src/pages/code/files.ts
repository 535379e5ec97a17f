import { html } from 'hono/html';
import { CodeFileDocument, CodeFilesDocument, type CodeFilesQuery } from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { segmentParam } from '../../http/params.ts';
import { addonName, addonPath, toCanonical } from '../catalogue/addon-head.ts';
import { changedQuery, pathOf } from '../catalogue/addresses.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { codeHead } from './code-head.ts';
import { fileQuery, fileVariables, fileView, pictureFile, rawFile } from './file-view.ts';
import { contentsTree, folderView } from './folder-view.ts';
import { commentQuery, deleteDraftForm, lineCommentForm } from './line-comments.ts';
import { lineIn } from './lines.ts';

type CodeAddon = NonNullable<CodeFilesQuery['addon']>;
type CodeVersion = NonNullable<CodeAddon['version']>;

/** The files of a version's package: a folder of it, or a file with its lines. For those who may read its code. */
export const filesPage = page({
  path: '/addon/:ref/versions/:version/files/',
  visitor: 'all',
  hidesRefusals: true,
  limit: 'page-code',
  params: { ref: segmentParam('Slug, guid or id of the add-on.'), version: segmentParam('Version number.') },
  query: { ...fileQuery, ...commentQuery },
  document: CodeFilesDocument,
  variables: ({ path }) => ({ by: addonReference(path.ref), version: path.version }),
  more: {
    document: CodeFileDocument,
    variables: ({ addon }, { query }) =>
      query.file !== null && addon?.version?.contents
        ? { version: addon.version.id, ...fileVariables(query.file, query), commentsAfter: query.comments }
        : null,
  },
  view: ({ addon }, input, ui, more) => {
    const version = addon?.version ?? null;
    const contents = version?.contents ?? null;
    if (addon === null || version === null || contents === null) return null;
    const { query, search } = input;
    const file = more?.version?.contents?.file ?? null;
    if (query.file !== null && file === null) return null;
    if (file !== null && query.picture !== null) return pictureFile(file);
    if (file !== null && query.raw !== null) return rawFile(file);
    const rest = `versions/${encodeURIComponent(version.version)}/files/`;
    const number = html`<bdi dir="ltr">${version.version}</bdi>`;
    const hrefOf = (changes: Record<string, string | null>) => addonPath(addon, rest) + changedQuery(search, changes);
    const messages = version.validation?.messages ?? [];
    const shown = { ui, contents, query, hrefOf, messages, versionUrl: version.url };
    const body =
      file === null
        ? folderView(shown)
        : fileView(shown, file, {
            ...{
              addon,
              version,
              path: file.path,
              anchor: 'file',
              after: query.comments,
              cursor: 'comments',
              isNamed: false,
            },
            // Changes of comments stay on the page of lines.
            hrefOf: (changes) => hrefOf({ page: search.get('page'), ...changes }),
            comments: more?.version?.lineComments ?? null,
            current: lineIn(query.comment),
          });
    if (body === null) return null;
    const { main: head, ...section } = codeHead(ui, {
      ...{ addon, version, title: ui.t('code.files') },
      heading: ui.t('code.files.heading', { version: html`<a href="${pathOf(version.url)}">${number}</a>` }),
    });
    return (
      toCanonical(addon, input, rest) ?? {
        title: ui.t('code.files.title', { name: addonName(addon), version: version.version }),
        robots: 'noindex' as const,
        ...section,
        main: html`${head}
<p>${ui.t('code.files.sum', { count: contents.fileCount, size: ui.format.bytes(contents.size) })}</p>
${version.source !== null && html`<p><a href="${addonPath(addon, `versions/${encodeURIComponent(version.version)}/source/`)}">${ui.t('code.source')}</a></p>`}
<div class="columns with-tree"><div>${contentsTree(shown)}</div><div>${body}</div></div>
${file === null && !query.folder && otherVersions(ui, addon, version)}`,
      }
    );
  },
});

export const fileCommentForms = [lineCommentForm(filesPage, 'file'), deleteDraftForm(filesPage)];

/** Links to the comparison with the newest other versions. */
function otherVersions(ui: Ui, addon: CodeAddon, { version }: CodeVersion): Html {
  const others = addon.versions.nodes.filter((each) => each.version !== version);
  if (others.length === 0) return html``;
  return html`<section aria-labelledby="compare"><h2 id="compare">${ui.t('code.compare-with')}</h2>
<ul class="link-list">
${others.map(
  (
    other,
  ) => html`<li><a href="${addonPath(addon, `compare/${encodeURIComponent(`${other.version}...${version}`)}/`)}"><bdi dir="ltr">${other.version}</bdi></a></li>
`,
)}</ul></section>`;
}
