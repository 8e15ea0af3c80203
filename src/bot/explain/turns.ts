/** @module What reached the kernel and what a strategy asked for then, from the log of the run. */
import { type AuditEvent, isRecord } from '../../core/index.ts';
import type { Step } from './explanation.ts';
import type { FoundTurn } from './find-turn.ts';
import { recordsOf, type Sources, textOf } from './sources.ts';

/** The input of the turn in which `wanted` was decided, and the intent that it came from: of that turn, or of one before. */
export function turnSteps(
  sources: Sources,
  { atMs, fields }: AuditEvent,
  wanted: string,
): { readonly steps: readonly Step[]; readonly absent: readonly string[] } {
  const strategy = textOf(fields, 'strategy');
  const symbol = textOf(fields, 'symbol') || textOf(recordsOf(fields, 'orders')[0] ?? {}, 'symbol');
  const turn = sources.turn(atMs, { wanted, intent: `"intent":"${strategy} `, symbol });
  if (turn === undefined)
    return {
      steps: [],
      absent: [
        `the event of the market and the words of the strategy: the log of the run in ${sources.run.folder} has no such turn; record.enabled keeps it`,
      ],
    };
  const { input, asked } = turn;
  if (asked === undefined) return { steps: [eventStep(input)], absent: [] };
  const steps = [eventStep(asked.input), ...messageSteps(asked, strategy), intentStep(asked)];
  const later = { ...eventStep(input), text: `it was sent in a later turn: ${inputWords(input)}` };
  return { steps: asked.input === input ? steps : [...steps, later], absent: [] };
}

function eventStep(input: Readonly<Record<string, unknown>>): Step {
  return { step: 'event', atMs: timeOf(input), text: inputWords(input), facts: shortened(input) };
}

function intentStep({ input, text }: NonNullable<FoundTurn['asked']>): Step {
  return { step: 'intent', atMs: timeOf(input), text, facts: { text } };
}

/** The messages that the strategy heard before it asked. */
function messageSteps(
  { input, messages }: NonNullable<FoundTurn['asked']>,
  strategy: string,
): readonly Step[] {
  return messages
    .filter((text) => /^\S+ to (\S+): /.exec(text)?.[1]?.split(',').includes(strategy) === true)
    .map((text) => ({ step: 'message', atMs: timeOf(input), text, facts: { text } }));
}

function timeOf({ t }: Readonly<Record<string, unknown>>): number | null {
  return Array.isArray(t) && typeof t[0] === 'number' ? t[0] : null;
}

function inputWords(input: Readonly<Record<string, unknown>>): string {
  const { book, b, bl, a, al, timer, call, fact } = input;
  if (typeof book === 'string')
    return `book of ${book}: best bid ${firstOf(bl)} lots at ${firstOf(b)} ticks, best ask ${firstOf(al)} lots at ${firstOf(a)} ticks`;
  if (timer !== undefined) return `timer ${String(timer)} of the run was due`;
  if (typeof call === 'string') return `call ${call} from outside`;
  if (!isRecord(fact)) return 'an input';
  const type = String(fact['type']);
  const plain = Object.entries(fact).filter(
    ([name, value]) => name !== 'type' && (typeof value === 'string' || typeof value === 'number'),
  );
  return `fact ${type}${plain.map(([name, value]) => `, ${name} ${String(value)}`).join('')}`;
}

function firstOf(list: unknown): string {
  return Array.isArray(list) && list.length > 0 ? String(list[0]) : 'none';
}

/** Levels of a book beyond this place are left out. */
const LEVELS_MAX = 5;

function shortened(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, LEVELS_MAX) : value,
    ]),
  );
}
