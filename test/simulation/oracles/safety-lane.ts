/**
 * @module
 * I23: cancels do not wait for trading. When a write of a trading lane has been open for so long that the health is
 * red (dead-mans-switch.md), a cancel leaves by the safety lane, unless that lane is held up itself. Where the only
 * lane carries both, its switch is all there is (I11).
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { rowOf } from './support/journal-text.ts';
import { limitsOfConfig, safetyLaneOf } from './support/limits.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import type { Write } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I23'], begin }];

/** Red after 5 s without an end, looked at every 5 s; then the cancel has to be recorded. */
const OPEN_MS_MAX = 5_000;
const TRIED_MS_MAX = OPEN_MS_MAX + 5_000 + 2_000;
/** The lane has been idle for longer than from one look to the next. */
const IDLE_MS = 6_000;
const CANCELS: ReadonlySet<string> = new Set(['cancel', 'cancelAll']);

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  /** When the safety lane last recorded a cancel, and since when nothing has held it up. */
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let freeSinceMs = 0;
  const told = new Set<Write>();
  /** Lanes that are over while others trade on; `halts.ts` sees to their orders. */
  const halted = new Set<string>();
  const hasOthers = limitsOfConfig(world.plan.config).tradingWallets.length > 1;
  const safety = safetyLaneOf(world.plan);
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (isCancel(sight, safety)) triedAtMs = sight.atMs;
      const isHalt = sight.kind === 'log' && sight.message === 'lane halted';
      if (isHalt && sight.fields['lane'] === safety) freeSinceMs = Number.POSITIVE_INFINITY;
      else if (isHalt && hasOthers) halted.add(String(sight.fields['lane']));
      if (sight.kind === 'life' && sight.what === 'started') {
        freeSinceMs = sight.atMs;
        halted.clear();
      }
    },
    onBlock: () => {
      const isHeldUp = world.isPaused() || world.life().state !== 'running' || hasOpenWrite(scene, safety);
      if (isHeldUp) freeSinceMs = Math.max(freeSinceMs, scene.nowMs);
      const blocked = scene.nowMs > freeSinceMs + IDLE_MS ? blockedSince(scene, safety, halted) : undefined;
      if (blocked === undefined || told.has(blocked.write) || triedAtMs >= blocked.sinceMs) return;
      const left = scene
        .restingOrders()
        .filter(({ write }) => (write.sentAtMs.at(-1) ?? 0) <= blocked.sinceMs);
      if (left.length === 0) return;
      told.add(blocked.write);
      world.violate(
        'I23',
        `${left.length} orders rest and no cancel is sent, nonce ${blocked.write.nonce} is open for ${Math.round(scene.nowMs - blocked.sinceMs)} ms`,
      );
    },
  };
}

function isCancel(sight: Sight, safety: string): boolean {
  const row = sight.kind === 'recorded' ? rowOf(sight) : undefined;
  return row?.type === 'write' && row.value.lane === safety && CANCELS.has(row.value.command.kind);
}

function hasOpenWrite({ writes }: Scene, safety: string): boolean {
  return [...writes.open].some(({ row }) => row?.lane === safety);
}

/** The oldest write of a trading lane that has been open for too long. */
function blockedSince(
  { writes, nowMs, life }: Scene,
  safety: string,
  halted: ReadonlySet<string>,
): { readonly write: Write; readonly sinceMs: number } | undefined {
  for (const write of writes.open) {
    const { row, sentAtMs, life: number } = write;
    if (row === undefined || row.lane === safety || halted.has(row.lane)) continue;
    if (number !== life?.number) continue;
    const sinceMs = sentAtMs[0] ?? nowMs;
    if (nowMs - sinceMs > TRIED_MS_MAX) return { write, sinceMs };
  }
  return undefined;
}
