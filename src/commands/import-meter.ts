import type { WriteStream } from 'node:tty';
import type { ImportProgress } from '../domain/transfer/import-catalogue.ts';

/** Interval between updates of the line. */
const EVERY_MS = 250;

const WORDS: Readonly<Record<ImportProgress['phase'], string>> = {
  reading: 'reading lines',
  loading: 'loading, step',
  publishing: 'publishing add-ons',
};

/** A progress line of an import. */
interface Meter {
  show(progress: ImportProgress): void;
  /** Clears the line. */
  clear(): void;
}

function seconds(time: number): string {
  return time < 90 ? `${Math.ceil(time)} s` : `${Math.ceil(time / 60)} min`;
}

/** The line of a phase after `elapsed` seconds; `part` is its progress, 0 to 1. */
export function meterLine({ phase, done, total }: ImportProgress, elapsed: number, part: number | null): string {
  const words = [`${WORDS[phase]} ${done}${total === null || phase === 'reading' ? '' : ` of ${total}`}`];
  if (phase !== 'loading' && elapsed > 0) words.push(`${Math.round(done / elapsed)} a second`);
  if (phase !== 'loading' && part !== null && part > 0 && part < 1) {
    words.push(`${seconds((elapsed * (1 - part)) / part)} left in this step`);
  }
  return words.join(', ');
}

/** A progress line on a stream; silent unless it is a terminal. `read` returns the read share of the file. */
export function importMeter(stream: WriteStream, read: () => number | null): Meter {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} };
  let phase: ImportProgress['phase'] | null = null;
  let began = 0;
  let shown = 0;
  return {
    show: (progress) => {
      const now = performance.now();
      if (progress.phase !== phase) [phase, began, shown] = [progress.phase, now, 0];
      if (now - shown < EVERY_MS) return;
      shown = now;
      const part =
        progress.phase === 'reading' ? read() : progress.total === null ? null : progress.done / progress.total;
      stream.write(`\r\x1b[K${meterLine(progress, (now - began) / 1000, part)}`);
    },
    clear: () => {
      if (phase !== null) stream.write('\r\x1b[K');
    },
  };
}
