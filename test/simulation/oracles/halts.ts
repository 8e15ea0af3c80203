/**
 * @module
 * I23: after a kill or a halt is recorded nothing is placed in its scope that could raise exposure; cancels and the
 * reduction of positions still go out. A lane that halted sends nothing but fences.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { rowOf, type WriteRow } from './support/journal-text.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I23'], begin }];

/** What is halted: `account`, `market <symbol>`, `strategy <id>` with who holds it, and lanes by name. */
interface Halted {
  readonly scopes: Map<string, Set<string>>;
  readonly lanes: Set<string>;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const halted: Halted = { scopes: new Map(), lanes: new Set() };
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life' && sight.what === 'started') {
        halted.scopes.clear();
        halted.lanes.clear();
      } else if (sight.kind === 'audit') follow(sight, halted);
      else if (sight.kind === 'log' && sight.message === 'lane halted')
        halted.lanes.add(String(sight.fields['lane']));
      else if (sight.kind === 'recorded') {
        const row = rowOf(sight);
        if (row?.type === 'write') check(world, row.value, halted);
      }
    },
  };
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
  if (state === 'active') holders.delete(String(control));
  else holders.add(String(control));
  if (holders.size === 0) scopes.delete(key);
  else scopes.set(key, holders);
}

function check(
  world: OracleWorld,
  { kind, lane, nonce, command }: WriteRow,
  { scopes, lanes }: Halted,
): void {
  if (lanes.has(lane) && kind !== 'fence')
    world.violate('I23', `lane ${lane} is halted and signs nonce ${nonce}`);
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
