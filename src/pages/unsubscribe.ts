import { html } from 'hono/html';
import { type Page, page } from './plain-page.ts';

/** The texts of the page in one language. */
export interface UnsubscribeTexts {
  language: string;
  title: string;
  question: string;
  button: string;
  doneTitle: string;
  done: string;
  invalidTitle: string;
  invalid: string;
}

/** What the page behind an unsubscribe link of a mail shows: a question, its result, or that the link is invalid. */
export function unsubscribePage(
  state: 'question' | 'done' | 'invalid',
  { language, ...texts }: UnsubscribeTexts,
): Promise<Page> {
  if (state === 'question') {
    const form = html`<form method="post"><button>${texts.button}</button></form>`;
    const content = html`<main>
<h1>${texts.title}</h1>
<p>${texts.question}</p>
${form}
</main>`;
    return page(texts.title, content, { language, hasForm: true });
  }
  const [title, text] = state === 'done' ? [texts.doneTitle, texts.done] : [texts.invalidTitle, texts.invalid];
  const content = html`<main><h1>${title}</h1><p>${text}</p></main>`;
  return page(title, content, { language, status: state === 'done' ? 200 : 404 });
}
