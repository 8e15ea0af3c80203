/**
 * @module
 * A healthy bot in a process of its own, whose bytes are late both ways by drawn amounts, for as long as is asked for:
 * its switch must not fire and no heartbeat may go without a renewal (I11, I12). What {@link runHealthy} does for many
 * hours of virtual time.
 */
import { join } from 'node:path';
import { seededRandom } from '../../../src/core/index.ts';
import { LiveRig } from '../../../test/support/live-rig.ts';
import { pause } from '../../../test/support/processes.ts';
import { Scene } from './scene.ts';
import { Valve } from './valve.ts';

/** What a healthy run in real time showed. Times in ms. */
export interface LiveHealth {
  readonly schema: 1;
  readonly seed: number;
  readonly forMs: number;
  readonly renewals: number;
  /** Times the switch was gone while the bot lived. */
  readonly fires: number;
  /** Heartbeats without a renewal. */
  readonly missed: number;
  readonly gapMsMax: number;
  readonly leftMsMin: number;
  readonly violations: readonly string[];
}

const HEARTBEAT_MS = 1_000;
/** As of `ballast run` on its own: three heartbeats would leave a busy machine little room. */
const TRIGGER_MS = 4_000;
/** Two renewals further apart than this have one between them that did not come. */
const MISSED_MS = 2 * HEARTBEAT_MS;
const LATE_MS_MEAN = 30;
const LATE_MS_MAX = 200;

/** Lets a bot live for so long. */
export async function runHealthyLive({
  seed,
  forMs,
  load = 0,
}: {
  readonly seed: number;
  readonly forMs: number;
  /** So many other processes never rest meanwhile: then a late renewal is no fault, but one that is lost is. */
  readonly load?: number;
}): Promise<LiveHealth> {
  const random = seededRandom(`healthy ${seed}`);
  const lateMs = () => Math.min(LATE_MS_MAX, random.exponential(LATE_MS_MEAN));
  const script = join(import.meta.dirname, 'exchange.ts');
  const rig = await LiveRig.start({ seed, accounts: 1, script });
  const valve = await Valve.before(rig.baseUrl, lateMs);
  try {
    const scene = await Scene.quoting(rig, 'healthy', {
      changes: {
        environment: { name: 'test', baseUrl: valve.url },
        deadMansSwitch: { heartbeat: `${HEARTBEAT_MS}ms`, timeout: `${TRIGGER_MS}ms` },
      },
    });
    for (let at = 0; at < load; at++) rig.processes.start(process.execPath, ['-e', 'for (;;);']);
    const fromMs = Date.now();
    await pause(forMs);
    const figures = figuresOf(scene, fromMs);
    // Its guardian would have ended it: exit code 80.
    await scene.stopProven();
    scene.expect(figures.renewals > 0, 'no renewal was seen');
    scene.expect(figures.fires === 0, `the switch was gone ${figures.fires} times`);
    scene.expect(load > 0 || figures.missed === 0, `${figures.missed} heartbeats without a renewal`);
    return { ...{ schema: 1, seed, forMs }, ...figures, violations: scene.violations };
  } finally {
    await rig.end();
    await valve.close();
  }
}

/** What the exchange said of the switch from `fromMs` on. */
function figuresOf({ log }: Scene, fromMs: number) {
  const states = log.states().filter(({ atMs }) => atMs >= fromMs);
  const renewed = states.filter(
    ({ armedUntilMs }, at) => armedUntilMs !== 0 && armedUntilMs !== states[at - 1]?.armedUntilMs,
  );
  const pairs = renewed.slice(1).map((state, at) => [renewed[at] ?? state, state] as const);
  const gapsMs = pairs.map(([before, after]) => after.atMs - before.atMs);
  return {
    renewals: renewed.length,
    fires: states.filter(({ armedUntilMs }) => armedUntilMs === 0).length,
    missed: gapsMs.filter((ms) => ms > MISSED_MS).length,
    gapMsMax: Math.round(Math.max(0, ...gapsMs)),
    leftMsMin: Math.round(
      Math.min(TRIGGER_MS, ...pairs.map(([before, after]) => before.armedUntilMs - after.atMs)),
    ),
  };
}
