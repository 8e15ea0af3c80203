/** @module The form of an explanation, and its words for a terminal of 80 columns. */

/** One step on the way from what the market did to what the ledger holds. */
export interface Step {
  readonly step:
    | 'event'
    | 'message'
    | 'intent'
    | 'checks'
    | 'decision'
    | 'write'
    | 'receipt'
    | 'order'
    | 'cancel'
    | 'fill'
    | 'ledger'
    | 'gap'
    | 'around';
  /** When, Unix ms; `null`: not known. */
  readonly atMs: number | null;
  /** In words. */
  readonly text: string;
  /** The same as values. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Why something was as it was. */
export interface Explanation {
  readonly schema: 1;
  /** Name of the run. */
  readonly runId: string;
  /** What was asked for, in words. */
  readonly asked: string;
  /** The answer in one sentence. */
  readonly answer: string;
  /** What led to it and what followed, in order. */
  readonly steps: readonly Step[];
  /** What could not be found, and how to get it; empty: nothing is missing. */
  readonly absent: readonly string[];
}

const WIDTH = 80;
const INDENT = 12;

/** The lines of an explanation, none longer than 80 columns unless a word is. */
export function describeExplanation({ asked, answer, steps, absent }: Explanation): string {
  const lines: string[] = [...wrapped(asked, ''), ...wrapped(answer, ''), ''];
  for (const { step, atMs, text } of steps) {
    const time = atMs === null ? '' : `${new Date(atMs).toISOString()} `;
    lines.push(...wrapped(`${time}${text}`, step.padEnd(INDENT)));
  }
  if (absent.length > 0)
    lines.push('', ...absent.flatMap((text) => wrapped(text, 'not known'.padEnd(INDENT))));
  return lines.join('\n');
}

function wrapped(text: string, head: string): readonly string[] {
  const lines: string[] = [];
  let line = head;
  let isEmpty = true;
  for (const word of text.split(/\s+/)) {
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line.trimEnd());
      line = ' '.repeat(head.length);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}
