/** @module What can be asked of a run, read from words. */
import { BotError, nearestName } from '../../core/index.ts';

/** What is asked for. */
export type Question =
  | { readonly what: 'order' | 'fill' | 'denial' | 'write'; readonly id: string }
  | {
      readonly what: 'gap';
      readonly symbol: string;
      readonly side: 'bid' | 'ask';
      /** Unix ms. */
      readonly atMs: number;
    };

/** The kinds of questions about the past of a run. */
const QUESTION_KINDS = ['order', 'fill', 'denial', 'write', 'gap'] as const;

/** The question in `words`. @throws BotError `EXPLAIN_QUESTION_INVALID`. @example questionOf(['gap', 'BTC-USD', 'bid', '2026-11-27T03:00:00Z']) */
export function questionOf(words: readonly string[]): Question {
  const [what = '', first = '', side = '', time = ''] = words;
  switch (what) {
    case 'order':
    case 'fill':
    case 'denial':
    case 'write':
      if (first === '' || words.length > 2) throw invalid(`${what} and one id`, words);
      return { what, id: first };
    case 'gap': {
      const atMs = timeOf(time);
      if (first === '' || (side !== 'bid' && side !== 'ask') || atMs === undefined || words.length > 4)
        throw invalid(
          'gap with a market, bid or ask, and a time, as in gap BTC-USD bid 2026-11-27T03:00:00Z',
          words,
        );
      return { what, symbol: first, side, atMs };
    }
    default: {
      const nearest = nearestName([...QUESTION_KINDS, 'now'], what);
      const hint = nearest === undefined ? '' : ` (most like it: ${nearest})`;
      throw invalid(`one of ${QUESTION_KINDS.join(', ')}, now${hint}`, words);
    }
  }
}

/** Unix ms, or ISO 8601 with a zone: a time without one would be of the machine. */
function timeOf(text: string): number | undefined {
  if (/^[0-9]{10,15}$/.test(text)) return Number(text);
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(?:Z|[+-][0-9]{2}:[0-9]{2})$/.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : atMs;
}

function invalid(expected: string, words: readonly string[]): BotError {
  return new BotError({
    code: 'EXPLAIN_QUESTION_INVALID',
    message: `expected ${expected}, got ${JSON.stringify(words.join(' '))}`,
    remedy: '`ballast explain --help` shows the forms; times are ISO 8601 with a zone, or Unix milliseconds.',
  });
}
