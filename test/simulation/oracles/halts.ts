/**
 * @module
 * I23: after a kill or a halt is recorded nothing is placed in its scope that could raise exposure; cancels and the
 * reduction of positions still go out. A lane that halted sends nothing but fences, and a market that the exchange says
 * is not open gets no orders (obligation O10). What rests when everything is halted is taken out of the book.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { forgottenOrders } from './support/cancels.ts';
import { type OutcomeRow, rowOf, type WriteRow } from './support/journal-text.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import { parseObject } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I23'], begin }];

/** What is halted: `account`, `market <symbol>`, `strategy <id>` with who holds it, and lanes by name. */
interface Halted {
  /** Markets that a listing showed as not open, and when. */
  readonly closed: Map<string, number>;
  readonly scopes: Map<string, Set<string>>;
  readonly lanes: Set<string>;
  /** Since when orders rest in a run that is halted as a whole, although nothing is in the way of their cancel. */
  idleSinceMs: number | undefined;
}

/** Orders of a halted run have a cancel on its way after this: what was refused or lost leaves again in its own time. */
const CANCELED_MS = 10_000;
const SAFETY = 'safety';

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const halted: Halted = { closed: new Map(), scopes: new Map(), lanes: new Set(), idleSinceMs: undefined };
  const listings = new Set<number>();
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life' && sight.what === 'started') {
        halted.closed.clear();
        halted.scopes.clear();
        halted.lanes.clear();
        halted.idleSinceMs = undefined;
      } else if (sight.kind === 'request') {
        if (sight.path === '/v1/markets') listings.add(sight.id);
      } else if (sight.kind === 'answer') {
        if (listings.delete(sight.id) && sight.status === 200) list(sight, halted);
      } else if (sight.kind === 'audit') follow(sight, halted);
      else if (sight.kind === 'log' && sight.message === 'lane halted')
        halted.lanes.add(String(sight.fields['lane']));
      else if (sight.kind === 'recorded') {
        const row = rowOf(sight);
        if (row?.type === 'write') check(world, row.value, { halted, atMs: sight.atMs });
        else if (row?.type === 'outcome') noteForeign(scene, row.value, halted);
      }
    },
    onBlock: () => checkBook(scene, halted),
  };
}

function checkBook(scene: Scene, halted: Halted): void {
  const { nowMs, world } = scene;
  // A run ends with its first trading lane; the safety lane takes its orders out of the book.
  const isEnding = [...halted.lanes].some((lane) => lane !== SAFETY) || halted.scopes.has('account');
  const hasProcess = ['running', 'stopping'].includes(world.life().state);
  const isBound = isEnding && hasProcess && !halted.lanes.has(SAFETY);
  const left = isBound ? forgottenOrders(scene, halted.idleSinceMs ?? nowMs) : [];
  if (left.length === 0) {
    halted.idleSinceMs = undefined;
    return;
  }
  halted.idleSinceMs ??= nowMs;
  if (nowMs < halted.idleSinceMs + CANCELED_MS) return;
  halted.idleSinceMs = Number.POSITIVE_INFINITY;
  world.violate('I23', `${left.length} orders rest ${CANCELED_MS} ms after a halt, and nothing cancels them`);
}

function follow({ event }: Extract<Sight, { kind: 'audit' }>, { scopes }: Halted): void {
  if (event.type !== 'TradingStateChanged') return;
  const { scope, control, state } = event.fields as {
    readonly scope?: { readonly kind?: string; readonly symbol?: string; readonly strategyId?: string };
    readonly control?: unknown;
    readonly state?: unknown;
  };
  const key = [scope?.kind, scope?.symbol ?? scope?.strategyId]
    .filter((part) => part !== undefined)
    .join(' ');
  const holders = scopes.get(key) ?? new Set<string>();
  if (state === 'active' || state === 'slowed') holders.delete(String(control));
  else holders.add(String(control));
  if (holders.size === 0) scopes.delete(key);
  else scopes.set(key, holders);
}

/** A conflict that names a request of somebody else: its lane has a second writer and halts (obligation O29). */
function noteForeign({ writes }: Scene, { requestId, outcome, proof }: OutcomeRow, { lanes }: Halted): void {
  const by = /^conflict:(0x[0-9a-f]+)$/i.exec(proof)?.[1];
  if (outcome !== 'superseded' || by === undefined || writes.byRequestId(by) !== undefined) return;
  const lane = writes.byRequestId(requestId)?.row?.lane;
  if (lane !== undefined) lanes.add(lane);
}

/** What was decided before waits at most this long for its lane. */
const IN_THE_LANE_MS = 1_500;

function list({ atMs, body }: Extract<Sight, { kind: 'answer' }>, { closed }: Halted): void {
  const markets = parseObject(body)?.['markets'];
  for (const market of Array.isArray(markets) ? markets : []) {
    const { symbol, status } = market as { readonly symbol?: unknown; readonly status?: unknown };
    if (status === 'Active') closed.delete(String(symbol));
    else if (!closed.has(String(symbol))) closed.set(String(symbol), atMs);
  }
}

function check(
  world: OracleWorld,
  { kind, lane, nonce, command }: WriteRow,
  { halted: { closed, scopes, lanes }, atMs }: { readonly halted: Halted; readonly atMs: number },
): void {
  if (lanes.has(lane) && kind !== 'fence')
    world.violate('I23', `lane ${lane} is halted and signs nonce ${nonce}`);
  if (command.kind === 'place' || command.kind === 'replace')
    for (const { symbol } of command.orders ?? [])
      if (atMs - (closed.get(symbol) ?? Number.POSITIVE_INFINITY) > IN_THE_LANE_MS)
        world.violate('I23', `${symbol} is not open and gets an order`);
  if (scopes.size === 0 || (command.kind !== 'place' && command.kind !== 'replace')) return;
  for (const { strategyId, symbol, reduceOnly, intentId, side } of command.orders ?? []) {
    const scope = ['account', `market ${symbol}`, `strategy ${strategyId}`].find((key) => scopes.has(key));
    if (scope !== undefined && !reduceOnly && !isReducing(world, symbol, side))
      world.violate('I23', `${scope} is halted and ${intentId} is placed`);
  }
}

/** Does an order of this side take the position back, as the exchange has it? */
function isReducing(world: OracleWorld, symbol: string, side: 'buy' | 'sell'): boolean {
  const { venue } = world.exchange.control;
  const id = venue.markets().find(({ market }) => market.symbol === symbol)?.market.signingMarketId;
  const lots = venue.positions(world.accountId).find(({ market }) => market === id)?.lots ?? 0;
  return side === 'buy' ? lots < 0 : lots > 0;
}
