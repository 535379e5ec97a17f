/** Entry point of a process that reads and compares stored packages. */
import { serveParser } from '../../infra/process-pool/serve-parser.ts';
import { compareLines, countLines } from '../../package/code/compare-packages.ts';
import { PICTURE_BYTES } from '../../package/code/file-changes.ts';
import { findScriptCalls } from '../../package/code/find-calls.ts';
import { format } from '../../package/code/format.ts';
import { highlight } from '../../package/code/highlight.ts';
import { readManifestFacts } from '../../package/code/manifest-facts.ts';
import { listFiles, readFileBytes, readFileText } from '../../package/code/package-files.ts';
import { readExcerpts } from '../../package/source-excerpts.ts';
import type { CodeRequest } from './read-code.ts';

/** Time for the tokens of one page, and for the formatted text or the lines of one file. */
const TEXT_MS = { tokens: 1_000, format: 4_000, lines: 1_000 };

serveParser(async (request: CodeRequest): Promise<unknown> => {
  switch (request.kind) {
    case 'list':
      return listFiles(request.path, request.format);
    case 'text':
      return readFileText(request.path, request.format, request.file);
    case 'picture':
      return readFileBytes(request.path, request.format, request.file, PICTURE_BYTES);
    case 'counts':
      return countLines(request.otherPath, request.path, request.changes);
    case 'manifest':
      return readManifestFacts(request.path, request.otherPath);
    case 'lines':
      return compareLines(request.before, request.after, { ...request.options, timeoutMs: TEXT_MS.lines });
    case 'format':
      return format(request.file, request.text, TEXT_MS.format);
    case 'tokens': {
      const tokens = highlight(request.file, request.text, TEXT_MS.tokens);
      return Array.isArray(tokens) ? tokens.slice(request.from) : tokens;
    }
    case 'calls':
      return findScriptCalls(request.path, request.scripts, request.processorMs);
    case 'excerpts':
      return readExcerpts(request.path, request.places);
  }
});
