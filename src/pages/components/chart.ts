import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

interface Point {
  /** YYYY-MM-DD. */
  date: string;
  /** Null where no number is known; the line has a gap there. */
  value: number | null;
}

interface Chart {
  /** Prefix of ids; unique in the page. */
  id: string;
  title: Html | string;
  /** What the line shows in one sentence, for people who do not see it. */
  summary: Html | string;
  /** One for each day, in their order. */
  points: readonly Point[];
}

const [WIDTH, HEIGHT] = [600, 200];
const GRID_LINES = 4;

/** A line over days. Its page also shows the numbers in a table. Labels are HTML, so that they keep their size on small screens. */
export function chart(ui: Ui, { id, title, summary, points }: Chart): Html {
  const top = niceMaximum(Math.max(0, ...points.map(({ value }) => value ?? 0)));
  const steps = Array.from({ length: GRID_LINES + 1 }, (_, step) => top - (top / GRID_LINES) * step);
  const days = [points[0], points[Math.floor((points.length - 1) / 2)], points.at(-1)].filter(
    (day) => day !== undefined,
  );
  return html`<figure class="chart">
<figcaption id="${id}-title">${title}</figcaption>
<div class="chart-plot" dir="ltr">
<div class="chart-values" aria-hidden="true">${steps.map((value) => html`<span>${ui.format.number(value)}</span>`)}</div>
<svg role="img" aria-labelledby="${id}-title" aria-describedby="${id}-summary" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
${steps.map((_, step) => html`<path class="chart-grid" d="M0 ${(HEIGHT / GRID_LINES) * step}H${WIDTH}"/>`)}
${linesOf(points, top).map(({ line, area }) => html`<path class="chart-area" d="${area}"/><path class="chart-line" d="${line}"/>`)}
</svg>
<div class="chart-days" aria-hidden="true">${days.map(({ date }) => html`<span dir="${ui.direction}">${ui.format.date(date)}</span>`)}</div>
</div>
<p class="muted" id="${id}-summary">${summary}</p>
</figure>`;
}

/** The lines between days with numbers, and the areas below them. */
function linesOf(points: readonly Point[], top: number): { line: string; area: string }[] {
  const step = WIDTH / Math.max(1, points.length - 1);
  const lines: { x: number; y: number }[][] = [[]];
  for (const [index, { value }] of points.entries()) {
    if (value === null) lines.push([]);
    else lines.at(-1)?.push({ x: round(index * step), y: round(HEIGHT - (value / top) * HEIGHT) });
  }
  return lines.filter((line) => line.length > 0).map((line) => pathsOf(line, step));
}

/** A day alone becomes a line of one day's width. */
function pathsOf(line: readonly { x: number; y: number }[], step: number): { line: string; area: string } {
  const [first, last] = [line[0]?.x ?? 0, line.at(-1)?.x ?? 0];
  const end = line.length > 1 ? last : Math.min(WIDTH, round(first + step));
  const path = `M${line.map(({ x, y }) => `${x} ${y}`).join('L')}${line.length > 1 ? '' : `H${end}`}`;
  return { line: path, area: `${path}V${HEIGHT}H${first}Z` };
}

const round = (number: number): number => Math.round(number * 10) / 10;

/** A number of at least `value`, and at most a third above a `value` from 10 on, that four steps of round numbers divide. */
function niceMaximum(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  const steps = [4, 8, 12, 16, 20, 24, 32, 40, 48, 60, 80, 100];
  return (steps.find((step) => step * unit >= value) ?? 100) * unit;
}
