import { englishText, type Message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';

/** An invalid value of a line: its key (`addon.versions[0].channel`; empty for the whole line) and what is wrong with it. */
export class LineError extends Error {
  override readonly name = 'LineError';
  readonly key: string;
  readonly problem: Message;

  constructor(key: string, problem: Message) {
    super(describeAt(key, problem));
    this.key = key;
    this.problem = problem;
  }
}

/** A line that cannot be imported. Lines count from 1. */
export interface BadLine {
  line: number;
  key: string;
  problem: Message;
}

const describeAt = (key: string, problem: Message): string =>
  `${key === '' ? '' : `${printable(key)}: `}${englishText(problem)}`;

/** Text for operators: `line 17: addon.versions[0].channel: expected "listed" or "unlisted"`. */
export const describeBadLine = ({ line, key, problem }: BadLine): string => `line ${line}: ${describeAt(key, problem)}`;
