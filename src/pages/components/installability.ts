/* What programs do with a file of this site, in the words that the pages of add-ons, the help and docs/browsers.md share. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** Kinds of programs, best first. A page cannot find out the build of a browser, so it lists them. */
export const PROGRAMS = ['own', 'managed', 'release', 'mail', 'other'] as const;
export type Program = (typeof PROGRAMS)[number];

/** What a kind of programs is called, and what it does with a file. */
export const installability = ({ t }: Ui, program: Program): { name: Html; does: Html } => ({
  name: t(`install.${program}`),
  does: t(`install.${program}.does`),
});

/** A list of what some kinds of programs do. */
export const installabilityList = (ui: Ui, programs: readonly Program[]): Html => html`<dl class="installability">
${programs.map((program) => {
  const { name, does } = installability(ui, program);
  return html`<div><dt>${name}</dt><dd>${does}</dd></div>
`;
})}</dl>`;
