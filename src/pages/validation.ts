import { html } from 'hono/html';
import { NotFoundError } from '../errors.ts';
import { ValidationPageDocument, type ValidationPageQuery } from '../generated/operations/graphql.ts';
import type { Context } from '../graphql/context.ts';
import { execute } from '../graphql/execute.ts';
import { type Page, page } from './plain-page.ts';

/** Maximum number of displayed messages; the API returns all. */
const SHOWN = 500;
const REFRESH_SECONDS = 3;

type Upload = NonNullable<ValidationPageQuery['upload']>;
type Message = NonNullable<Upload['validation']>['messages'][number];

/** Stages whose page reloads itself. */
const MOVING = ['RECEIVED', 'VALIDATING', 'VALID', 'SIGNING'];

/**
 * The page behind `validation_url` (contract, Upload status): stage, reason and next step of an upload, and
 * the validator's messages. Needs no credentials: the URL holds a secret.
 */
export async function validationPage(pk: string, context: Context): Promise<Page> {
  if (!/^[0-9a-f]{32}$/.test(pk)) return notFound();
  try {
    const { upload } = await execute(ValidationPageDocument, { pk }, context);
    if (upload === null) return notFound();
    const isMoving = MOVING.includes(upload.stage) && (upload.submitted || upload.stage !== 'VALID');
    const refresh = isMoving ? { refresh: REFRESH_SECONDS } : {};
    return await page(`Validation of ${nameOf(upload)} ${upload.version}`, content(upload), refresh);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return notFound();
  }
}

function notFound(): Promise<Page> {
  return page('Not found', html`<h1>Not found</h1><p>There is no upload with this address.</p>`, { status: 404 });
}

const nameOf = ({ guid }: Upload): string => guid ?? 'a package without an id';

function content(upload: Upload) {
  return html`<main>
<h1>Validation of ${nameOf(upload)}, version ${upload.version}</h1>
<dl>
<dt>Stage</dt><dd>${stageText(upload.stage)}</dd>
${upload.reason === null ? '' : html`<dt>Reason</dt><dd>${upload.reason}</dd>`}
<dt>What comes next</dt><dd>${upload.nextStep}</dd>
<dt>Uploaded</dt><dd><time datetime="${upload.created}">${upload.created}</time></dd>
</dl>
${upload.validation === null ? '' : results(upload.validation)}
</main>`;
}

/** `AWAITING_REVIEW` as people write it. */
function stageText(stage: string): string {
  const words = stage.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function results({ errors, warnings, notices, messages }: NonNullable<Upload['validation']>) {
  const hidden = messages.length - SHOWN;
  return html`<h2>${count(errors, 'error')}, ${count(warnings, 'warning')}, ${count(notices, 'notice')}</h2>
<ol>
${messages.slice(0, SHOWN).map(message)}
</ol>
${hidden > 0 ? html`<p>${count(hidden, 'more message')} not shown.</p>` : ''}`;
}

function message({ type, code, message: text, description, file, line, column }: Message) {
  const kind = type.toLowerCase();
  return html`<li>
<p class="message"><span class="${kind}">${stageText(type)}:</span> ${text}</p>
${file === null ? '' : html`<p class="message place">${placeText(file, line, column)}</p>`}
${description === '' ? '' : html`<p class="description">${description}</p>`}
<p class="message code">${code}</p>
</li>`;
}

function placeText(file: string, line: number | null, column: number | null): string {
  if (line === null) return file;
  return column === null ? `${file}, line ${line}` : `${file}, line ${line}, column ${column}`;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
