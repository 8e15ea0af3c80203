/**
 * @module
 * The way of an order: what reached the kernel, what the strategy asked for, the checks, the write and its receipt, fills and
 * ledger entries. A fill, a denial and a write are explained by the order or the intent that they are of.
 */
import { type AuditEvent, isRecord, type JsonObject } from '../../core/index.ts';
import { DENIAL_CODES } from '../risk/index.ts';
import type { Explanation, Step } from './explanation.ts';
import { recordsOf, type Sources, textOf } from './sources.ts';
import { turnSteps } from './turns.ts';
import { writeSteps } from './writes.ts';

/** How long after its cancel was asked for an order may end, ms. */
const CANCEL_MS_MAX = 10_000;

/** An order by its id, by its label or by the intent it came from. @throws BotError `EXPLAIN_UNKNOWN`. */
export function explainOrder(sources: Sources, id: string): Explanation {
  const own = orderRows(sources, id);
  if (own.length === 0) {
    const denied = sources.audit({ correlationId: id, type: 'IntentDenied', limit: 1 });
    if (denied.length > 0) return explainDenial(sources, id);
    throw sources.unknown('order', 'an order or an intent', id);
  }
  return { ...wayOf(sources, own), asked: `order ${id}` };
}

/** A fill by its id. @throws BotError `EXPLAIN_UNKNOWN`. */
export function explainFill(sources: Sources, id: string): Explanation {
  const [fill] = sources.audit({ fillId: id, type: 'FillApplied', limit: 1 });
  if (fill === undefined) throw sources.unknown('fill', 'a fill', id);
  const { steps, absent, ...rest } = wayOf(sources, orderRows(sources, textOf(fill.fields, 'orderId')));
  const ofOther = ({ step, facts }: Step): boolean =>
    (step === 'fill' && facts['id'] !== id) || (step === 'ledger' && facts['ofFill'] !== id);
  const left = steps.filter(ofOther).length;
  return {
    ...rest,
    asked: `fill ${id}`,
    answer: fillWords(fill),
    steps: steps.filter((one) => !ofOther(one)),
    absent,
    ...(left === 0 ? {} : { steps: [...steps.filter((one) => !ofOther(one)), others(left)] }),
  };
}

/** A denied intent by its id. @throws BotError `EXPLAIN_UNKNOWN`. */
export function explainDenial(sources: Sources, id: string): Explanation {
  const [denied] = sources.audit({ correlationId: id, type: 'IntentDenied', limit: 1 });
  if (denied === undefined) throw sources.unknown('correlation', 'a denied intent', id);
  const { steps, absent } = turnSteps(sources, denied, id);
  const { fields } = denied;
  const code = textOf(fields, 'code');
  const row = Object.hasOwn(DENIAL_CODES, code) ? DENIAL_CODES[code as keyof typeof DENIAL_CODES] : undefined;
  const control = row?.control ?? 'the runtime';
  return {
    schema: 1,
    runId: sources.run.runId,
    asked: `denial ${id}`,
    answer: `It was never sent: ${control} denied it. ${textOf(fields, 'message')}.`,
    steps: [
      ...steps,
      {
        step: 'checks',
        atMs: denied.atMs,
        text: `${control} ${code}: ${textOf(fields, 'message')}. ${row?.remedy ?? ''}`.trim(),
        facts: { ...fields, control, intentId: id, remedy: row?.remedy ?? null },
      },
    ],
    absent,
  };
}

/** A write by its request id. @throws BotError `EXPLAIN_UNKNOWN`. */
export function explainWrite(sources: Sources, id: string): Explanation {
  const ends = sources.audit({ correlationId: id });
  const span = sources.span();
  const found = sources.write(id, ends[0]?.atMs ?? span?.toMs ?? 0);
  if (found === undefined) throw sources.unknown('correlation', 'a write', id);
  const { command } = found.write;
  const intents =
    'orders' in command ? command.orders.flatMap((one) => ('intentId' in one ? [one.intentId] : [])) : [];
  const [first] = intents;
  const approved = first === undefined ? undefined : approvalOf(sources, first);
  const turn = approved === undefined ? undefined : turnSteps(sources, approved, String(first));
  const outcome = found.outcome?.outcome ?? 'not known yet';
  return {
    schema: 1,
    runId: sources.run.runId,
    asked: `write ${id}`,
    answer: `${found.write.kind === 'fence' ? 'A fence' : `A write (${command.kind})`} of lane ${found.write.lane}; its outcome: ${outcome}.`,
    steps: [
      ...(turn?.steps ?? []),
      ...(approved === undefined ? [] : [checksStep(approved)]),
      ...writeSteps(found),
      ...ends.map(
        ({ type, atMs, fields }): Step => ({
          step: 'decision',
          atMs,
          text: `${type}: ${textOf(fields, 'outcome') || textOf(fields, 'why') || 'closed by a new ledger'}`,
          facts: fields,
        }),
      ),
    ],
    absent: turn?.absent ?? [],
  };
}

/** What changed an order, its fills and its entries of the ledger, by its number or by its intent. */
function orderRows(sources: Sources, id: string): readonly AuditEvent[] {
  const byNumber = sources.audit({ orderId: id });
  if (byNumber.length > 0) return byNumber;
  const byIntent = sources.audit({ correlationId: id }).filter(({ type }) => type === 'OrderChanged');
  const number = byIntent.map(({ fields }) => textOf(fields, 'orderId')).find((text) => text !== '');
  return number === undefined ? byIntent : sources.audit({ orderId: number });
}

function wayOf(sources: Sources, own: readonly AuditEvent[]): Explanation {
  const first = own[0] as AuditEvent;
  const intentId = own.find(({ correlationId }) => correlationId !== undefined)?.correlationId;
  const orderId = textOf(first.fields, 'orderId');
  const approved = intentId === undefined ? undefined : approvalOf(sources, intentId);
  const turn = approved === undefined ? undefined : turnSteps(sources, approved, String(intentId));
  const requestId = own.map(({ fields }) => textOf(fields, 'proof')).find((proof) => proof.startsWith('0x'));
  const found = requestId === undefined ? undefined : sources.write(requestId, first.atMs);
  const changes = own.filter(({ type }) => type === 'OrderChanged');
  const fills = own.filter(({ type }) => type === 'FillApplied');
  const entries = own.filter(({ type }) => type === 'LedgerApplied');
  const ofFill = fillsOfEntries(fills, entries);
  const last = changes.at(-1);
  const ending = last === undefined ? undefined : cancelOf(sources, orderId, last);
  const absent = [...(turn?.absent ?? [])];
  if (intentId === undefined)
    absent.push('the intent: the order is of no strategy of this journal, or of a run before it');
  else if (approved === undefined) absent.push(`the approval of ${intentId}: no row is kept of it`);
  if (found === undefined && intentId !== undefined)
    absent.push(
      'the write: its outcome was told by the stream; `ballast explain write` takes the id of a request',
    );
  const after: Step[] = [
    ...changes.map(changeStep),
    ...fills.map(fillStep),
    ...entries.map((entry) => ledgerStep(entry, ofFill.get(entry))),
  ].sort((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0));
  return {
    schema: 1,
    runId: sources.run.runId,
    asked: `order ${orderId}`,
    answer: orderWords(orderId, own, last),
    steps: [
      ...(turn?.steps ?? []),
      ...(approved === undefined ? [] : [checksStep(approved)]),
      ...(found === undefined ? [] : writeSteps(found)),
      ...(ending === undefined ? after : [...after.slice(0, -1), ending, ...after.slice(-1)]),
    ],
    absent,
  };
}

/** Orders of one command have numbers in a row, and its row has the name of the first: no command has more. */
const ORDERS_MAX = 200;

/** The approved command with the order of an intent. */
function approvalOf(sources: Sources, intentId: string): AuditEvent | undefined {
  const [, run = '', number = ''] = /^(.*-)([0-9]+)$/.exec(intentId) ?? [];
  for (let back = 0; back < ORDERS_MAX && Number(number) - back > 0; back++) {
    const correlationId = `${run}${Number(number) - back}`;
    const [found] = sources.audit({ correlationId, type: 'CommandApproved', limit: 1 });
    const orders = found === undefined ? [] : recordsOf(found.fields, 'orders');
    if (found !== undefined)
      return orders.length === 0 || orders.some((order) => order['intentId'] === intentId)
        ? found
        : undefined;
  }
  return undefined;
}

/** The cancel by the bot that ended an order. */
function cancelOf(sources: Sources, orderId: string, end: AuditEvent): Step | undefined {
  if (textOf(end.fields, 'status') !== 'canceled') return undefined;
  const span = { fromMs: end.atMs - CANCEL_MS_MAX, toMs: end.atMs };
  const asked = [
    ...sources.audit({ ...span, type: 'SafetyCommandSent', holds: `"${orderId}"` }),
    ...sources.audit({ ...span, type: 'SafetyCommandSent', holds: '"cancelAll"' }),
    ...sources.audit({ ...span, type: 'CommandApproved', holds: `"${orderId}"` }),
  ]
    .sort((a, b) => a.atMs - b.atMs)
    .at(-1);
  if (asked === undefined) return undefined;
  const isReplace = asked.type === 'CommandApproved';
  const why = isReplace ? 'another order takes its place' : textOf(asked.fields, 'why');
  return {
    step: 'cancel',
    atMs: asked.atMs,
    text: `${isReplace ? 'replaced' : textOf(asked.fields, 'kind')}: ${why}`,
    facts: { ...asked.fields, type: asked.type },
  };
}

/** All checks of an approved command were passed: each denies, and the first denial is the end. */
function checksStep({ atMs, fields, correlationId }: AuditEvent): Step {
  const controls = [...new Set(Object.values(DENIAL_CODES).map(({ control }) => control))].filter((id) =>
    /^P[0-9]+$/.test(id),
  );
  const orders = recordsOf(fields, 'orders').map(
    (order) =>
      `${textOf(order, 'side')} ${textOf(order, 'sizeLots')} lots at ${textOf(order, 'priceTicks')} ticks (${textOf(order, 'timeInForce')}${waitText(order)})`,
  );
  return {
    step: 'checks',
    atMs,
    text: `${controls[0] ?? ''} to ${controls.at(-1) ?? ''} passed: ${textOf(fields, 'kind')} of ${orders.join(', ')} on lane ${textOf(fields, 'lane')}`,
    facts: { ...fields, passed: controls, intentId: correlationId ?? null },
  };
}

/** What an order was to wait for outside the book. */
function waitText({ trigger, twap }: JsonObject): string {
  if (isRecord(twap))
    return `, in ${textOf(twap, 'slices')} slices, one each ${textOf(twap, 'intervalMs')} ms`;
  if (!isRecord(trigger)) return '';
  const side = trigger['isAbove'] === true ? 'above' : 'below';
  const leg = textOf(trigger, 'leg');
  return `, once the index is at or ${side} ${textOf(trigger, 'priceTicks')} ticks${leg === '' ? '' : `, ${leg} of the position`}`;
}

function changeStep({ atMs, fields }: AuditEvent): Step {
  const why = textOf(fields, 'reason');
  const proof = textOf(fields, 'proof');
  return {
    step: 'order',
    atMs,
    text: `${textOf(fields, 'status')}${why === '' ? '' : `: ${why}`}${proof === '' ? '' : `, proven by ${proof}`}`,
    facts: fields,
  };
}

function fillStep(event: AuditEvent): Step {
  return { step: 'fill', atMs: event.atMs, text: fillWords(event), facts: event.fields };
}

function fillWords({ fields }: AuditEvent): string {
  const of = (name: string): string => textOf(fields, name);
  const fee = of('fee') === '' ? 'fee not known' : `fee ${of('fee')} quantums`;
  return `${of('side')} ${of('sizeLots')} lots of ${of('symbol')} at ${of('priceTicks')} ticks as ${of('role')}, ${fee}, fill ${of('id')}`;
}

function ledgerStep({ atMs, fields }: AuditEvent, ofFill: string | undefined): Step {
  const id = textOf(fields, 'id');
  return {
    step: 'ledger',
    atMs,
    text: `${textOf(fields, 'kind')} ${textOf(fields, 'amount')} quantums, entry ${id}`,
    facts: { ...fields, ofFill: ofFill ?? null },
  };
}

/** The fill that each entry is of: those of one event stand in the order of its fills, each begun by its trade. */
function fillsOfEntries(
  fills: readonly AuditEvent[],
  entries: readonly AuditEvent[],
): ReadonlyMap<AuditEvent, string> {
  const found = new Map<AuditEvent, string>();
  const idOf = ({ fields }: AuditEvent): string => textOf(fields, 'id');
  const byPlace = Object.groupBy(entries, (entry) => placeOf(idOf(entry)));
  for (const [place, own = []] of Object.entries(byPlace)) {
    const ids = fills
      .map(idOf)
      .filter((id) => placeOf(id) === place)
      .sort(byIndex);
    let at = -1;
    for (const entry of own.toSorted((a, b) => byIndex(idOf(a), idOf(b)))) {
      if (at < 0 || textOf(entry.fields, 'kind') === 'trade') at++;
      const id = ids[Math.min(at, ids.length - 1)];
      if (id !== undefined) found.set(entry, id);
    }
  }
  return found;
}

function byIndex(a: string, b: string): number {
  return Number(a.split('-')[2]) - Number(b.split('-')[2]);
}

/** Position and event of an id, without the place within the event. @example placeOf('12-3-1') // '12-3' */
function placeOf(id: string): string {
  return id.split('-').slice(0, 2).join('-');
}

function orderWords(orderId: string, own: readonly AuditEvent[], last: AuditEvent | undefined): string {
  const fills = own.filter(({ type }) => type === 'FillApplied').length;
  const { strategy, symbol } = (last ?? (own[0] as AuditEvent)).fields;
  const whose = typeof strategy === 'string' ? `of ${strategy}` : 'of no strategy';
  const state = last === undefined ? 'known by its fills' : textOf(last.fields, 'status');
  return `Order ${orderId} ${whose} in ${String(symbol)} is ${state}, with ${fills} fill${fills === 1 ? '' : 's'}.`;
}

function others(count: number): Step {
  return {
    step: 'around',
    atMs: null,
    text: `the order has ${count} more steps with other fills: ballast explain order shows them`,
    facts: { count },
  };
}
