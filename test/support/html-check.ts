/* Checks every HTML response that a test receives with html-validate. The rules are in .config/html-validate.json. */
import { createHash } from 'node:crypto';
import { fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  type ConfigData,
  HtmlValidate,
  type Plugin,
  type ResolvedConfig,
  Rule,
  StaticConfigLoader,
} from 'html-validate/browser';
import { inject } from 'vitest';
import type { Reply } from './client.ts';

/** Pages of libraries, with markup that is not ours (GraphiQL and Swagger UI). */
const FOREIGN = /^\/graphql(?:\/editor\/[\w-]+)?\/?(?:\?|$)|^\/docs\/api\/\w+\/try\//;

const CONFIGURATION = join(import.meta.dirname, '../../.config/html-validate.json');

/** Maximum number of problems that an error message lists. */
const LISTED = 10;

/** The hashes of the skeletons of valid documents, one a line. The processes of a run share the file. */
const VALID_FILE = 'valid-html';
/** Of a SHA-1 hash in base64 and the end of the line. */
const LINE_BYTES = 29;

interface Check {
  validator: HtmlValidate;
  valid: Set<string>;
  /** The descriptor of VALID_FILE, and how many of its bytes are in `valid`. */
  file: number;
  read: number;
}

/** A process keeps these from one test file to the next. */
const kept = globalThis as typeof globalThis & { htmlCheck?: Check };

/**
 * Checks one response; responses of other types pass.
 * @throws {Error} if the document breaks a rule.
 */
export function checkHtml({ method, path, reply }: { method: string; path: string; reply: Reply }): void {
  if (!/^text\/html\b/.test(String(reply.headers['content-type'])) || reply.bytes.length === 0) return;
  if (FOREIGN.test(path)) return;
  const text = decodedText(reply);
  const problems = htmlProblems(text);
  if (problems.length > 0) throw new Error(`${method} ${path} returned invalid HTML:\n${problems.join('\n')}`);
}

/** Paths of forms without a mutation: they change cookies, or end the session. */
const WITHOUT_MUTATION = ['/preferences/', '/logout/', '/demo/sign-in/'];

/** Every form with a mutation has an id by which it acts once. */
class ActsOnce extends Rule {
  override setup(): void {
    this.on('dom:ready', ({ document }) => {
      for (const form of document.querySelectorAll('form[method="post"]')) {
        if (WITHOUT_MUTATION.includes(form.getAttributeValue('action') ?? '')) continue;
        if (!form.querySelector('[name="once"]')) this.report(form, 'The form has no field "once"');
      }
    });
  }
}

/** The options of a choice differ. */
class DifferentOptions extends Rule {
  override setup(): void {
    this.on('dom:ready', ({ document }) => {
      for (const select of document.querySelectorAll('select[name]')) {
        const seen = new Set<string>();
        for (const option of select.querySelectorAll('option')) {
          const text = option.textContent.trim();
          if (seen.has(text)) this.report(option, `Two options of the choice are "${text}"`);
          seen.add(text);
        }
      }
    });
  }
}

const OWN_RULES: Plugin = {
  name: 'own-rules',
  rules: { 'acts-once': ActsOnce, 'different-options': DifferentOptions },
};

/** The problems of a document, one line each; empty for a valid one. */
function htmlProblems(text: string): string[] {
  kept.htmlCheck ??= openCheck();
  const { validator, valid, file } = kept.htmlCheck;
  const hash = createHash('sha1').update(skeletonOf(text)).digest('base64');
  if (valid.has(hash)) return [];
  readValid(kept.htmlCheck);
  if (valid.has(hash)) return [];
  const { results } = validator.validateStringSync(text);
  const messages = results.flatMap((result) => result.messages).filter(({ severity }) => severity === 2);
  if (messages.length === 0) writeSync(file, `${hash}\n`);
  const lines = text.split('\n');
  return messages.slice(0, LISTED).map(({ line, column, ruleId, message }) => {
    const source = (lines[line - 1] ?? '').slice(Math.max(0, column - 40), column + 80);
    return `${line}:${column} ${ruleId}: ${message} in: ${source}`;
  });
}

const openCheck = (): Check => ({
  ...{ validator: openValidator(), valid: new Set(), read: 0 },
  file: openSync(join(inject('runFolder'), VALID_FILE), 'a+'),
});

/** Adds what processes of the run have written since the last call. */
function readValid(check: Check): void {
  const { size } = fstatSync(check.file);
  const bytes = Buffer.alloc(size - (size % LINE_BYTES) - check.read);
  check.read += readSync(check.file, bytes, 0, bytes.length, check.read);
  for (const hash of bytes.toString().split('\n')) check.valid.add(hash);
}

const SAFE = /^(?:[^&]|&(?:amp|lt|gt|quot|#39);)*$/;

/** Attributes of which rules judge only whether they have a value, with a value. */
const VALUES =
  / (href|src|value|content|action|formaction|datetime|alt|title|placeholder|d|data-[\w-]+)="([^"]*[^"\s][^"]*)"/g;

/**
 * A document without what no rule judges: texts but those of options, and values that are escaped. Validating a document takes tens of
 * milliseconds.
 */
function skeletonOf(text: string): string {
  return text
    .replace(/(?<!<option[^>]*)>([^<]*[^<\s][^<]*)(?=<)/g, (whole, content: string) =>
      SAFE.test(content) ? '>x' : whole,
    )
    .replace(VALUES, (whole, name: string, value: string) =>
      SAFE.test(value) && !WITHOUT_MUTATION.includes(value) ? ` ${name}="x"` : whole,
    );
}

function openValidator(): HtmlValidate {
  const rules = JSON.parse(readFileSync(CONFIGURATION, 'utf8')) as ConfigData;
  return new HtmlValidate(new OneConfigLoader({ ...rules, plugins: [OWN_RULES] }));
}

/** Loads the rules and the table of elements once; by default that is done for each document. */
class OneConfigLoader extends StaticConfigLoader {
  #config: ResolvedConfig | Promise<ResolvedConfig> | undefined;

  override getConfigFor(handle: string): ResolvedConfig | Promise<ResolvedConfig> {
    this.#config ??= super.getConfigFor(handle);
    return this.#config;
  }
}

function decodedText({ headers, bytes, text }: Reply): string {
  const encoding = headers['content-encoding'];
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return encoding === 'gzip' ? gunzipSync(bytes).toString() : text;
}
