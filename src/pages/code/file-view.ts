import { html } from 'hono/html';
import type {
  MessageFieldsFragment,
  ShownFileFragment,
  ShownPictureFragment,
} from '../../generated/operations/graphql.ts';
import { labelParam, oneOf, textParam } from '../../http/params.ts';
import * as params from '../catalogue/params.ts';
import { listedMessage } from '../catalogue/validation-messages.ts';
import { type CodeLine, codeTable } from '../components/code-table.ts';
import { revealInvisible } from '../components/file-name.ts';
import { messageList } from '../components/message-list.ts';
import { notice } from '../components/notice.ts';
import { pager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import type { TextFile } from '../page.ts';
import type { Ui } from '../ui.ts';
import { type FilesPageView, pathLinks } from './folder-view.ts';
import {
  type CommentedFile,
  type CommentPlace,
  canComment,
  commentHow,
  commentLinks,
  commentPages,
  commentRows,
  ownPlace,
} from './line-comments.ts';
import {
  byFormattedLine,
  byLine,
  cutLine,
  LINES_PER_PAGE,
  lineIn,
  linePart,
  messageRows,
  partCount,
  placeMessages,
} from './lines.ts';

type Content = NonNullable<ShownFileFragment['content']>;

/** The variables of operations that read a file with the lines of one page, or one line, and the first one after it. */
export function fileVariables(path: string, { page, line, pretty, picture }: FileQuery) {
  const number = lineIn(line);
  const lines =
    number === null ? { from: (page - 1) * LINES_PER_PAGE + 1, count: LINES_PER_PAGE + 1 } : { from: number, count: 2 };
  return { path, isFormatted: pretty !== null, ...lines, hasCopy: picture !== null };
}

/** The parameters of pages that show a file. */
interface FileQuery {
  page: number;
  line: string | null;
  pretty: '1' | null;
  picture: '1' | null;
}

/** Their declarations. */
export const fileQuery = {
  folder: textParam('Path of a folder.'),
  file: textParam('Path of a file.'),
  page: params.pageNumber,
  line: labelParam('Number of a line, for the page with the whole of it.'),
  pretty: oneOf('Minified code in lines and with indents.', ['1']),
  picture: oneOf('The decoded pixels of a picture.', ['1']),
  raw: oneOf('The file as it is, to save.', ['1']),
};

/** The decoded pixels of a picture. Browsers get no bytes of the file itself. */
export const pictureFile = ({ picture }: ShownFileFragment): TextFile | null =>
  picture?.copy == null ? null : { kind: 'file', contentType: 'image/png', text: Buffer.from(picture.copy, 'base64') };

/** The text of a file, to save. */
export const rawFile = ({ path, source }: ShownFileFragment): TextFile | null =>
  source && {
    kind: 'file',
    contentType: 'text/plain; charset=utf-8',
    text: source.text,
    fileName: path.slice(path.lastIndexOf('/') + 1),
  };

/** A file: its facts, and the lines of a text, or one line; null for a line that it does not have. */
export function fileView(
  shown: FilesPageView,
  file: ShownFileFragment,
  commented: CommentedFile | null = null,
): Html | null {
  const { ui, hrefOf, query } = shown;
  const { t, format } = ui;
  const { path, size, hash, library, content } = file;
  if (lineIn(query.line) !== null && !content?.lines.length) return null;
  const messages = shown.messages.filter((each) => each.file === path);
  const messagesOf = messageLines(file, messages);
  const withoutLine = messagesOf.get(0) ?? [];
  const switched = query.pretty === null ? '1' : null;
  return html`${pathLinks(ui, path, hrefOf)}
<p class="small muted">${format.bytes(size)} · <code class="hash">${hash}</code>${
    library &&
    html` · ${t('code.library', {
      name: html`<bdi>${library.name}</bdi>`,
      version: html`<bdi dir="ltr">${library.version}</bdi>`,
    })}`
  }${content !== null && content.encoding !== 'UTF_8' && html` · ${t(`code.encoding.${content.encoding}`)}`}</p>
${withoutLine.length > 0 && messageList(ui, withoutLine.map(listedMessage))}
${
  content !== null &&
  html`<ul class="code-switches">
<li><a href="${hrefOf({ raw: '1', pretty: null })}">${t('code.raw')}</a></li>
${FORMATTABLE_NAME.test(path) && html`<li><a href="${hrefOf({ pretty: switched, line: null })}">${t(switched === null ? 'code.pretty.off' : 'code.pretty')}</a></li>`}
</ul>`
}
${query.pretty !== null && content !== null && formattedNotice(ui, content)}
${file.picture !== null && pictureView(ui, file.picture, hrefOf({ picture: '1', pretty: null }))}
${content === null ? file.picture === null && notShown(ui, file) : lineView(shown, { path, content, messagesOf, commented })}`;
}

/** Files that are scripts, style sheets or JSON by their names. */
export const FORMATTABLE_NAME = /\.(?:[cm]?js|jsm|jsx|css|json|map|webmanifest)$/i;

/** The notice that lines are not those of the file, or that it could not be formatted. */
export const formattedNotice = (ui: Ui, { isFormatted }: { isFormatted: boolean }): Html =>
  notice(ui, { kind: 'info', text: ui.t(isFormatted ? 'code.pretty.on' : 'code.pretty.failed') });

/** A picture of a package, with its size. `src` is the address of its copy. */
export const pictureView = (
  ui: Ui,
  { width, height, isAnimated, copyWidth, copyHeight }: ShownPictureFragment,
  src: string,
): Html =>
  html`<figure class="code-picture"><img src="${src}" width="${copyWidth}" height="${copyHeight}" alt="" loading="lazy">
<figcaption>${ui.t(isAnimated ? 'code.picture.animated' : 'code.picture', { width, height })}</figcaption></figure>`;

const notShown = (ui: Ui, { isText }: ShownFileFragment): Html =>
  notice(ui, {
    kind: 'info',
    title: ui.t(isText ? 'code.not-shown.too-large' : 'code.not-shown.binary'),
    text: ui.t('code.not-shown.download'),
  });

/** Messages by the line of the shown text; all are about the whole of a file that is not shown. */
function messageLines({ path, content, source }: ShownFileFragment, messages: readonly MessageFieldsFragment[]) {
  if (content === null || source === null) return byLine(messages.map((message) => ({ message, place: null })));
  const found = placeMessages(path, source.text, messages);
  return content.isFormatted ? byFormattedLine(found, content.lines) : byLine(found);
}

interface TextLines {
  path: string;
  content: Content;
  messagesOf: ReadonlyMap<number, readonly MessageFieldsFragment[]>;
  /** Null for source code. */
  commented: CommentedFile | null;
}

/** Where comments on the lines of a file are shown, by the number of the line of the page. */
function commentPlaces({ isFormatted, lines }: Content): Map<number, CommentPlace> {
  if (!isFormatted) return new Map(lines.map(({ number }) => [number, ownPlace(number)]));
  return new Map(
    lines.flatMap(({ number, originLines }) => (originLines === null ? [] : [[number, { number, ...originLines }]])),
  );
}

/** The lines of a text, or a part of one line, with the messages and comments about each below it. */
function lineView({ ui, query, hrefOf }: FilesPageView, { path, content, messagesOf, commented }: TextLines): Html {
  const { lines, lineCount } = content;
  if (lineCount === 0) return html`<p>${ui.t('code.empty')}</p>`;
  const one = lineIn(query.line);
  const whole = lines.slice(0, one === null ? LINES_PER_PAGE : 1).map(
    ({ number, text, tokens, origin }): CodeLine => ({
      ...{ number, text: text.replace(/\r$/, ''), tokens, origin },
      ...(messagesOf.has(number) ? { kind: 'marked' as const } : {}),
    }),
  );
  const pageCount = one === null ? Math.ceil(lineCount / LINES_PER_PAGE) : partCount(whole[0]?.text.length ?? 0);
  const shown =
    one === null
      ? whole.map((line) => cutLine(line, () => hrefOf({ line: String(line.number), comment: null })))
      : whole.slice(0, query.page <= pageCount ? 1 : 0).map((line) => linePart(line, query.page));
  const places = commentPlaces(content);
  const placeOf = ({ number }: CodeLine) => places.get(number ?? 0) ?? null;
  const linkTo = commented !== null && canComment(commented.version) ? commentLinks(ui, commented) : null;
  const anchorOf = (line: number): string | null => {
    const found = shown.map(placeOf).find((place) => place !== null && line >= place.first && line <= place.last);
    return found == null ? null : `file-L${found.number}`;
  };
  return html`${one !== null && html`<p><a href="${hrefOf({ line: null, page: pageOf(one) })}#file-L${one}">${ui.t('code.line.in-file', { line: one })}</a></p>`}
${commented !== null && commentPages(ui, commented, anchorOf)}
${linkTo !== null && commentHow(ui)}
${
  shown.length > 0 &&
  codeTable(ui, {
    ...{ id: 'file', label: revealInvisible(path), lines: shown, isWrapped: one !== null },
    ...(linkTo === null ? {} : { action: (line: CodeLine) => linkTo(placeOf(line)) }),
    below: (line) => [
      ...messageRows(ui, messagesOf.get(line.number ?? 0)),
      ...(commented === null ? [] : commentRows(ui, commented, placeOf(line))),
    ],
  })
}
${pager(ui, {
  ...{ page: query.page, pageCount },
  hrefOf: (number) => hrefOf({ page: number === 1 ? null : String(number) }),
})}`;
}

/** The page with a line, as its parameter. */
const pageOf = (line: number): string | null =>
  line <= LINES_PER_PAGE ? null : String(Math.ceil(line / LINES_PER_PAGE));
