import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

interface Point {
  /** YYYY-MM-DD. */
  date: string;
  value: number;
}

interface Chart {
  /** Prefix of ids; unique in the page. */
  id: string;
  title: Html | string;
  /** What the line shows in one sentence, for people who do not see it. */
  summary: Html | string;
  /** In the order of days, without gaps. */
  points: readonly Point[];
}

const [WIDTH, HEIGHT] = [600, 200];
const GRID_LINES = 4;

/** A line over days. Its page also shows the numbers in a table. Labels are HTML, so that they keep their size on small screens. */
export function chart(ui: Ui, { id, title, summary, points }: Chart): Html {
  const top = niceMaximum(Math.max(0, ...points.map(({ value }) => value)));
  const steps = Array.from({ length: GRID_LINES + 1 }, (_, step) => top - (top / GRID_LINES) * step);
  const days = [points[0], points[Math.floor((points.length - 1) / 2)], points.at(-1)].filter(
    (day) => day !== undefined,
  );
  const line = linePath(points, top);
  return html`<figure class="chart">
<figcaption id="${id}-title">${title}</figcaption>
<div class="chart-plot" dir="ltr">
<div class="chart-values" aria-hidden="true">${steps.map((value) => html`<span>${ui.format.number(value)}</span>`)}</div>
<svg role="img" aria-labelledby="${id}-title" aria-describedby="${id}-summary" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
${steps.map((_, step) => html`<path class="chart-grid" d="M0 ${(HEIGHT / GRID_LINES) * step}H${WIDTH}"/>`)}
${points.length > 0 && html`<path class="chart-area" d="${line}V${HEIGHT}H0Z"/><path class="chart-line" d="${line}"/>`}
</svg>
<div class="chart-days" aria-hidden="true">${days.map(({ date }) => html`<span dir="${ui.direction}">${ui.format.date(date)}</span>`)}</div>
</div>
<p class="muted" id="${id}-summary">${summary}</p>
</figure>`;
}

function linePath(points: readonly Point[], top: number): string {
  const width = WIDTH / Math.max(1, points.length - 1);
  const at = ({ value }: Point, index: number) => `${round(index * width)} ${round(HEIGHT - (value / top) * HEIGHT)}`;
  const path = `M${points.map(at).join('L')}`;
  return points.length === 1 ? `${path}H${WIDTH}` : path;
}

const round = (number: number): number => Math.round(number * 10) / 10;

/** The smallest number of the form 4, 8, 12, 20, 40, 80 × 10ⁿ that is at least `value`: four steps of round numbers. */
function niceMaximum(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  const steps = [4, 8, 12, 20, 40, 60, 80, 100];
  return (steps.find((step) => step * unit >= value) ?? 100) * unit;
}
