import { execute } from '../execution/execute.ts';
import type { TypedDocumentString } from '../generated/operations/graphql.ts';
import type { Context } from '../graphql/context.ts';
import type { UploadedFile } from '../infra/staging/staging.ts';
import { type FieldReaders, type FieldValues, readFields, type TypedValues } from './fields.ts';
import { type PageContent, type PageInput, type PageLimit, type PageRedirect, type PageRow, redirect } from './page.ts';
import type { Ui } from './ui.ts';

/** The name of the file in every form that has one. */
export const FILE_FIELD = 'file';

/** The name of a button that adds the fields of its value to a form, and saves nothing. */
export const ADD_BUTTON = 'add';

/** A form with a file. */
export interface FileRule {
  /** Maximum size in bytes. */
  limitBytes: number;
  /** Whether it counts as an upload of a package. */
  isCounted: boolean;
}

/** What a submitted form contains. */
export interface SubmittedForm {
  typed: TypedValues;
  /** Null when no file was chosen. */
  file: UploadedFile | null;
}

interface Declaration<Declared extends FieldReaders, Result, Variables> {
  /** The page that contains the form; the form has its address, visitors and parameters. */
  page: PageRow;
  /** Unique on the page; the value of the hidden field `form`. */
  name: string;
  fields: Declared;
  file?: FileRule;
  limit?: PageLimit;
  /** Whether it has a button `ADD_BUTTON`, which shows the page again with what was typed; the page adds the fields. */
  isExtensible?: true;
  /** The mutation; without it the result is undefined. */
  document?: TypedDocumentString<Result, Variables>;
  variables?(values: FieldValues<Declared>, input: PageInput, file: UploadedFile | null): Variables;
  /**
   * What follows: a redirect, by default to the page with `?done=<name>`, for which the layout shows the text `done.<name>`;
   * or content that is shown once, with status 200.
   */
  done?(result: Result, input: PageInput, values: FieldValues<Declared>, ui: Ui): PageRedirect | PageContent;
  /**
   * Makes the form one that mail programs send too (RFC 8058): without its name, an origin and a redirect. The path of its page
   * contains the credential. Returns the content for them.
   */
  oneClick?(ui: Ui): PageContent;
}

/** A row of the form table. */
export interface FormRow extends Pick<Declaration<FieldReaders, unknown, unknown>, 'page' | 'name'> {
  file: FileRule | null;
  limit: PageLimit;
  isExtensible: boolean;
  /** Whether it runs a mutation. Then the same form acts once, however often it is sent. */
  changesData: boolean;
  /** Names of the fields, for bodies with a file. */
  names: readonly string[];
  /** The content for mail programs; null for forms that only people send. */
  oneClick: ((ui: Ui) => PageContent) | null;
  /** Reads the fields and runs the mutation. @throws {ServiceError} when it is refused. */
  submit(submitted: SubmittedForm, input: PageInput, context: Context, ui: Ui): Promise<PageRedirect | PageContent>;
}

/** Declares a form: the page that contains it, its fields and the mutation behind it. */
export function form<Declared extends FieldReaders, Result, Variables>(
  declaration: Declaration<Declared, Result, Variables>,
): FormRow {
  const { page, name, fields, document } = declaration;
  return {
    ...{ page, name, file: declaration.file ?? null, limit: declaration.limit ?? 'page-form' },
    isExtensible: declaration.isExtensible ?? false,
    changesData: document !== undefined,
    names: Object.keys(fields),
    oneClick: declaration.oneClick ?? null,
    async submit({ typed, file }, input, context, ui) {
      const values = readFields(fields, typed);
      const variables = declaration.variables?.(values, input, file) as Variables;
      const result = (document && (await execute(document, variables, context))) as Result;
      if (declaration.done) return declaration.done(result, input, values, ui);
      return doneAt(ui.path, name);
    },
  };
}

/** A path with the parameter that makes the page show what was done. */
export function withDone(path: string, code: string): string {
  const url = new URL(path, 'http://localhost');
  url.searchParams.set('done', code);
  return `${url.pathname}${url.search}`;
}

/** Leads to a path that shows what was done. */
export const doneAt = (path: string, code: string): PageRedirect => redirect(withDone(path, code), 303);

/** A path without that parameter: the responses to other forms, and pages after a sign-in, do not repeat what a form did. */
export function withoutDone(path: string): string {
  const url = new URL(path, 'http://localhost');
  if (!url.searchParams.has('done')) return path;
  url.searchParams.delete('done');
  return `${url.pathname}${url.search}`;
}
