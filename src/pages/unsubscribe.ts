import { html } from 'hono/html';
import { type Page, page } from './page.ts';

/** What the page behind an unsubscribe link of a mail shows: a question, its result, or that the link is invalid. */
export function unsubscribePage(state: 'question' | 'done' | 'invalid'): Promise<Page> {
  if (state === 'invalid') {
    const text = html`<main><h1>Not found</h1><p>This link is not valid. Change your notification settings instead.</p></main>`;
    return page('Not found', text, { status: 404 });
  }
  if (state === 'done') {
    const text = html`<main><h1>Unsubscribed</h1><p>You get no more mails of this kind. Your notification settings can change that.</p></main>`;
    return page('Unsubscribed', text);
  }
  return page(
    'Unsubscribe',
    html`<main>
<h1>Unsubscribe</h1>
<p>Do you want no more mails of this kind?</p>
<form method="post"><button>Unsubscribe</button></form>
</main>`,
    { hasForm: true },
  );
}
