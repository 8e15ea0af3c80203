/**
 * @module
 * I23: after a kill or a halt is recorded nothing is placed in its scope that could raise exposure; cancels and the
 * reduction of positions still go out. A lane that halted sends nothing but fences, and a market that the exchange says
 * is not open gets no orders (obligation O10). What rests in a scope that is halted is taken out of the book, unless it
 * can only reduce.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { forgottenOrders } from './support/cancels.ts';
import { type OutcomeRow, rowOf, type WriteRow } from './support/journal-text.ts';
import { limitsOfConfig, SAFETY_WALLET, safetyLaneOf } from './support/limits.ts';
import { type OwnOrder, type Scene, sceneOf } from './support/scene.ts';
import { parseObject } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I23'], begin }];

/** What is halted: `account`, `market <symbol>`, `strategy <id>` with who holds it in which state, and lanes by name. */
interface Halted {
  /** Markets that a listing showed as not open, and when. */
  readonly closed: Map<string, number>;
  readonly scopes: Map<string, Map<string, string>>;
  readonly lanes: Set<string>;
  /** Since when orders rest in what is halted, although nothing is in the way of their cancel. */
  readonly idleSinceMs: Map<string, number>;
}

/** Orders of a halted run have a cancel on its way after this: what was refused or lost leaves again in its own time. */
const CANCELED_MS = 10_000;
const RUN = 'the run';

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const halted: Halted = { closed: new Map(), scopes: new Map(), lanes: new Set(), idleSinceMs: new Map() };
  const listings = new Set<number>();
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life' && sight.what === 'started') {
        halted.closed.clear();
        halted.scopes.clear();
        halted.lanes.clear();
        halted.idleSinceMs.clear();
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
  const { world } = scene;
  const { lanes, scopes, idleSinceMs } = halted;
  const hasProcess =
    ['running', 'stopping'].includes(world.life().state) && !lanes.has(safetyLaneOf(world.plan));
  const lost = [...lanes].filter((lane) => lane !== SAFETY_WALLET);
  // A run ends with its last trading lane; the safety lane takes orders out of the book.
  const isEnding = lost.length >= limitsOfConfig(world.plan.config).tradingWallets.length;
  const stopped = [...scopes].filter(([, holders]) => [...holders.values()].includes('halted'));
  const keys = isEnding ? [RUN] : [...lost.map((lane) => `lane ${lane}`), ...stopped.map(([key]) => key)];
  for (const key of idleSinceMs.keys()) if (!hasProcess || !keys.includes(key)) idleSinceMs.delete(key);
  if (hasProcess) for (const key of keys) checkScope(scene, halted, key);
}

function checkScope(scene: Scene, { idleSinceMs }: Halted, key: string): void {
  const { nowMs, world } = scene;
  const sinceMs = idleSinceMs.get(key);
  const left = forgottenOrders(scene, sinceMs ?? nowMs).filter((order) => isIn(scene, key, order));
  if (left.length === 0) {
    idleSinceMs.delete(key);
    return;
  }
  if (sinceMs === undefined) idleSinceMs.set(key, nowMs);
  if (nowMs < (sinceMs ?? nowMs) + CANCELED_MS) return;
  idleSinceMs.set(key, Number.POSITIVE_INFINITY);
  world.violate(
    'I23',
    `${left.length} orders of ${key} rest ${CANCELED_MS} ms after a halt, and nothing cancels them`,
  );
}

/** Does an order have to go with this scope? */
function isIn(scene: Scene, key: string, order: OwnOrder): boolean {
  const { market, strategyId, isReduceOnly, write } = order;
  if (key === RUN) return true;
  // A disk that lost the journal has taken with it whose the orders of earlier lives are (F57, F58).
  const isNobodys = scene.plans('F57', 'F58') && write.life !== scene.life?.number;
  if (!isNobodys && key === `lane ${write.row?.lane}`) return true;
  if (isReduceOnly) return false;
  if (key === 'account') return true;
  if (!isNobodys && key === `strategy ${strategyId}`) return true;
  return key === `market ${symbolOf(scene.world, market)}`;
}

function symbolOf({ exchange }: OracleWorld, id: number): string | undefined {
  return exchange.control.venue.markets().find(({ market }) => market.signingMarketId === id)?.market.symbol;
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
  const holders = scopes.get(key) ?? new Map<string, string>();
  // A person's word ends what the continuous controls began as well.
  if (control === undefined && state === 'active') holders.clear();
  if (state === 'active' || state === 'throttled') holders.delete(String(control));
  else holders.set(String(control), String(state));
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
