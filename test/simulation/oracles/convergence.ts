/**
 * @module
 * I13: once everything is healed the bot agrees with the exchange (I1 to I4) and quotes again within 30 s of virtual
 * time; the seconds of a life that had to be started again count from its start. What was under way at the healing and
 * ends on its own is waited for: a wait that the exchange ordered, a window of a budget that is spent, a pause of M5.
 * In a busy world something is under way at each block: what happened up to the block before must be known, no more.
 */
import type { Convergence, FaultId, Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { fillsDiffer, ledgerDiffers, ordersDiffer, positionsDiffer } from './support/agreement.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import { isSwitchSpent } from './support/spent-switch.ts';

/**
 * What a control of risk holds until a person lets go, and the faults that give it reason: then the bot stands still by
 * a name, as it should. A control that is not here, or has no such reason, keeps nobody from quoting.
 */
const REASONS: Readonly<Record<string, readonly FaultId[]>> = {
  M1: ['F41', 'F42', 'F46', 'F47', 'F48', 'F70'],
  M4: ['F41', 'F42', 'F46', 'F47', 'F48', 'F70'],
  M5: ['F41', 'F42', 'F46', 'F47', 'F48', 'F70'],
  'M2 of a foreign order': ['F40', 'F46', 'F47', 'F57', 'F58', 'F69', 'F70', 'F72'],
  EXECUTION_GRANT_INVALID: ['F45'],
  'M10 of a foreign order': ['F40', 'F46', 'F47', 'F57', 'F58', 'F69', 'F70', 'F72'],
};

/** M5 pauses a strategy for so long after too many rejections (denials.md M5); risk looks at it once a second (H3). */
const PAUSE_MS = 60_000 + 1_000;
/** Faults that reject writes. */
const REJECTING: readonly FaultId[] = ['F37', 'F39'];

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I13'], begin }];

const WITHIN_MS = 30_000;
/** What was withheld in silence is found by an audit: it comes each 30 s, and reads the history again. */
const WITHIN_BY_AUDIT_MS = 45_000;
const DIFFERENCES = [fillsDiffer, positionsDiffer, ledgerDiffers, ordersDiffer];

/** How long worlds took to converge, by exchange: a figure for those who run many seeds. */
const figures = new WeakMap<object, Convergence>();

/** How long this world took to converge after it was healed, to the block; `undefined`: it has not. */
export function convergenceOf(world: Pick<OracleWorld, 'exchange'>): Convergence | undefined {
  return figures.get(world.exchange);
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  let acceptedAtMs = Number.NEGATIVE_INFINITY;
  let isOver = false;
  let stopping = 0;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  const held = new Set<string>();
  scene.onLog((_applied, _entry, { receipt }) => {
    if (receipt?.items.some(({ kind, state }) => kind === 'place' && state === 'accepted'))
      acceptedAtMs = scene.nowMs;
  });
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life' && sight.what === 'stopping') stopping = sight.life;
      if (sight.kind === 'life' && sight.what === 'started') {
        held.clear();
        pausedUntilMs = Number.NEGATIVE_INFINITY;
      }
      if (sight.kind === 'audit') {
        follow(sight, held);
        if (isUnhealedPause(scene, sight)) pausedUntilMs = sight.atMs + PAUSE_MS;
      }
      if (sight.kind === 'log' && sight.message === 'lane halted') held.add(String(sight.fields['code']));
    },
    onBlock: () => {
      const { healedAtMs, roomSinceMs, life } = scene;
      if (isOver || healedAtMs === undefined || roomSinceMs === undefined || life?.overAtMs !== undefined)
        return;
      if (world.isPaused() || life?.number === stopping) return;
      const sinceMs = Math.max(roomSinceMs, pausedUntilMs);
      const isHeld = isHeldForGoodReason(scene, held) || isGrantEnding(scene) || isSwitchSpent(world);
      const missing = whatIsMissing(scene, acceptedAtMs >= sinceMs || isHeld);
      const tookMs = scene.nowMs - sinceMs;
      if (missing === undefined) {
        isOver = true;
        figures.set(world.exchange, {
          sinceHealingMs: scene.nowMs - healedAtMs,
          sinceFreeMs: Math.max(0, tookMs),
        });
      } else if (tookMs > (scene.withheld.size > 0 ? WITHIN_BY_AUDIT_MS : WITHIN_MS)) {
        isOver = true;
        world.violate('I13', `${tookMs} ms after all was healed: ${missing}`);
      }
    },
  };
}

/** A pause after rejections that faults of before the healing forced. */
function isUnhealedPause(
  { healedAtMs, struck }: Scene,
  { event }: Extract<Sight, { kind: 'audit' }>,
): boolean {
  const { control, state } = event.fields;
  const isPause = event.type === 'TradingStateChanged' && control === 'M5' && state !== 'active';
  return isPause && healedAtMs === undefined && REJECTING.some((id) => struck.has(id));
}

function follow({ event }: Extract<Sight, { kind: 'audit' }>, held: Set<string>): void {
  if (event.type !== 'TradingStateChanged') return;
  const { reason } = event.fields;
  const isForeign = typeof reason === 'string' && reason.includes('not one of ours');
  const control = `${String(event.fields['control'])}${isForeign ? ' of a foreign order' : ''}`;
  for (const one of held) if (one.split(' ')[0] === control.split(' ')[0]) held.delete(one);
  if (event.fields['state'] !== 'active') held.add(control);
}

function isHeldForGoodReason({ struck }: Scene, held: ReadonlySet<string>): boolean {
  return [...held].some((control) => REASONS[control]?.some((id) => struck.has(id)) === true);
}

/** A grant that a fault has given an end is about to come to it: the bot stands still before that (obligation O52). */
function isGrantEnding({ struck, world }: Scene): boolean {
  return struck.has('F45') && world.view()?.red.some(({ id }) => id === 'H9') === true;
}

function whatIsMissing(scene: Scene, hasQuoted: boolean): string | undefined {
  const view = scene.world.view();
  if (view === undefined) return 'nothing is known of the account';
  if (view.account !== 'synced') return `the account is ${view.account}`;
  for (const differ of DIFFERENCES) {
    const difference = differ(scene, view, scene.truth.toldUpTo);
    if (difference !== undefined) return difference;
  }
  const isQuoting = hasQuoted || scene.restingOrders().length > 0;
  return isQuoting ? undefined : `no order of the bot rests, it is ${view.state}`;
}
