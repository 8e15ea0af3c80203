/** @module Why a side had no order at an instant. */
import { type AuditEvent, BotError, nearestName } from '../../core/index.ts';
import type { Explanation, Step } from './explanation.ts';
import type { Question } from './question.ts';
import { type Sources, textOf } from './sources.ts';

/** The reason of each strategy on the market for having had no order on a side. @throws BotError `EXPLAIN_UNKNOWN`, `EXPLAIN_TIME_OUTSIDE`. */
export function explainGap(sources: Sources, asked: Extract<Question, { what: 'gap' }>): Explanation {
  const { symbol, side, atMs } = asked;
  const span = sources.span();
  const time = new Date(atMs).toISOString();
  if (span === undefined || atMs < span.fromMs || atMs > span.toMs) throw outside(asked, span);
  const strategies = strategiesOn(sources, asked);
  const steps = strategies.flatMap((strategy) => stepsOf(sources, asked, strategy));
  const found = steps.filter(({ step }) => step === 'gap');
  return {
    schema: 1,
    runId: sources.run.runId,
    asked: `gap ${symbol} ${side} at ${time}`,
    answer:
      found.length === 0
        ? `There was no gap: each strategy had an order on the ${side} of ${symbol}.`
        : found
            .map(
              ({ facts }) =>
                `${textOf(facts, 'strategy')} had no ${side} in ${symbol}: ${textOf(facts, 'code')}.`,
            )
            .join(' '),
    steps,
    absent: [],
  };
}

/** The row of the stretch that covers the instant, or what came next where none does. */
function stepsOf(
  sources: Sources,
  { symbol, side, atMs }: Extract<Question, { what: 'gap' }>,
  strategy: string,
): readonly Step[] {
  const name = `gap ${strategy} ${symbol} ${side}`;
  let began: AuditEvent | undefined;
  for (const event of sources.auditFrom(name, atMs, ROWS_MAX)) {
    const sinceMs = Number(event.fields['sinceMs']);
    if (sinceMs > atMs) return [began === undefined ? quotedUntil(event, strategy, side) : gapStep(began)];
    if (event.type === 'QuoteGapBegan') began = event;
    else if (sinceMs + Number(event.fields['forMs']) > atMs) return [gapStep(event)];
  }
  // What lasts to the end of what is kept has a row of its beginning alone.
  const last = began ?? sources.auditLast(name);
  return last?.type === 'QuoteGapBegan' ? [gapStep(last)] : [];
}

/** A row of a stretch comes at most a look of the guard after its beginning: few are between it and the one that is sought. */
const ROWS_MAX = 200;

function gapStep({ type, fields }: AuditEvent): Step {
  const [code, detail, strategy] = ['code', 'detail', 'strategy'].map((name) => textOf(fields, name));
  const [sinceMs, forMs] = [Number(fields['sinceMs']), fields['forMs']];
  const length =
    type === 'QuoteGapEnded'
      ? `for ${secondsOf(Number(forMs))} s`
      : 'until after the last row of the journal';
  return {
    step: 'gap',
    atMs: sinceMs,
    text: `${strategy}, ${length}: ${code}, ${detail}`,
    facts: { ...fields, forMs: forMs ?? null },
  };
}

function quotedUntil({ fields }: AuditEvent, strategy: string, side: string): Step {
  const sinceMs = Number(fields['sinceMs']);
  return {
    step: 'around',
    atMs: sinceMs,
    text: `${strategy} had an order until here; then its ${side} was empty: ${textOf(fields, 'code')}`,
    facts: { strategy, nextGap: fields },
  };
}

/** Strategies with rows on the side of a market. */
function strategiesOn(
  sources: Sources,
  { symbol, side }: Extract<Question, { what: 'gap' }>,
): readonly string[] {
  const all = sources.correlations('gap ').map((name) => name.split(' '));
  const here = all.filter(([, , of, on]) => of === symbol && on === side).map(([, id = '']) => id);
  if (here.length > 0) return here;
  const symbols = [...new Set(all.map(([, , of = '']) => of))];
  const nearest = nearestName(symbols, symbol);
  const hint = nearest === undefined ? '' : `; the nearest is ${nearest}`;
  throw new BotError({
    code: 'EXPLAIN_UNKNOWN',
    message: `expected a market of run ${sources.run.runId} (${symbols.join(', ')}), got ${symbol}${hint}`,
    remedy: 'Name a market of the run as its configuration does.',
  });
}

function outside({ atMs }: Extract<Question, { what: 'gap' }>, span: ReturnType<Sources['span']>): BotError {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const kept = span === undefined ? 'nothing' : `${iso(span.fromMs)} to ${iso(span.toMs)}`;
  return new BotError({
    code: 'EXPLAIN_TIME_OUTSIDE',
    message: `expected a time within what the journal keeps, ${kept}, got ${iso(atMs)}`,
    remedy:
      'Times are in UTC unless they name another zone; the report of the run has its first and last instant.',
  });
}

function secondsOf(ms: number): string {
  return (ms / 1_000).toFixed(3).replace(/\.?0+$/, '');
}
