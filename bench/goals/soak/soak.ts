/**
 * @module
 * G18: a whole live run with the renewals, cuts and losses of a day on a clock that is faster, against the embedded exchange over loopback: the
 * switch is renewed, streams are cut, frames are lost, quotes follow the market. Memory after a collection, open handles and
 * listeners are the same at the end as after the first part.
 *
 * The length follows the rounds: nine are the day in ten minutes, one is a ninth of it in 67 seconds.
 */
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Child } from '../../child.ts';
import { type GroupResult, type Limit, missed, reached } from '../../goal.ts';
import { startLiveRun } from '../../live-run.ts';
import { type Effort, median, rounded } from '../../measure.ts';
import { ScaledClock } from '../../scaled-clock.ts';
import { showTable } from '../../show.ts';
import { journalFolder } from '../tick-to-order/commit.ts';
import { soakPort } from './soak-port.ts';
import type { SoakCounts, SoakOrder, SoakReady } from './wire.ts';

/** Renewals, cuts and losses of a day come in 150 minutes of this clock, which are ten of the machine's. */
const FACTOR = 15;
const ROUND_MS = 600_000 / 9;
/** Parts of a run; the first is the warm-up that G17 has, too. */
const PARTS = 10;
/** At the pace of the machine, until the code of blocks and orders has run; and until both processes know of the pace. */
const WARM_UP_MS = 20_000;
const SAID_MS = 500;
/** Looks at handles in a part: at one of them the streams may be down. */
const LOOKS = 5;

const LIMITS = {
  heap: {
    id: 'G18',
    what: 'heap after collection at the end of a day of live renewals, cuts and losses, MB above that at a tenth of it',
    limit: 5,
    better: 'lower',
  },
  half: {
    id: 'G18.half',
    what: 'the same above that at half of it',
    limit: 2,
    better: 'lower',
  },
  handles: {
    id: 'G18.handles',
    what: 'open handles and listeners more at the end of it than at a tenth of it',
    limit: 0,
    better: 'lower',
  },
} as const satisfies Record<string, Limit>;

const CONFIG = `
markets: [{ symbol: BTC-USD }]
strategies:
  - name: soak
    module: ${join(import.meta.dirname, 'strategy.ts')}
    markets: [BTC-USD]
    parameters: { size: 0.002 }
risk: { capital: 100000, maxMarketDataAge: 10s, maxOrderToTradeRatio: 100000, minSwitchTimeLeft: 5s }
deadMansSwitch: { heartbeat: 1s, timeout: 2m }
`;

/** A look at the process of the run. */
interface Look {
  readonly handles: number;
  readonly listeners: number;
}

/** One part. */
interface Part extends Look {
  readonly heapMb: number;
  readonly rssMb: number;
  /** Of the process, what V8 holds for this thread: its young generation, and all the rest of its heap. */
  readonly youngMb: number;
  readonly oldMb: number;
}

/** Measures G18. */
export async function soak({ rounds }: Effort): Promise<GroupResult> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let warnings = 0;
  process.on('warning', () => {
    warnings++;
  });
  const folder = journalFolder();
  const server = new Child(new URL('../../servers/soak-server.ts', import.meta.url));
  try {
    const { origin, account } = await server.next<SoakReady>();
    const ready = Promise.withResolvers<void>();
    soakPort.onReady = ready.resolve;
    const clock = new ScaledClock();
    const run = startLiveRun({ origin, account, folder: folder.path, config: CONFIG, clock });
    await Promise.race([ready.promise, run.failed]);
    // Code that has never run is not hurried through the deadlines of a start.
    await rest(WARM_UP_MS);
    const pace = async (factor: number): Promise<void> => {
      const faster = { factor, fromMs: Date.now() + SAID_MS };
      clock.setPace(faster);
      await server.ask<SoakCounts>({ clock: faster } satisfies SoakOrder);
      await rest(2 * SAID_MS);
    };
    await pace(FACTOR);
    const parts: Part[] = [];
    for (let part = 0; part < PARTS; part++) {
      const looks: Look[] = [];
      for (let look = 0; look < LOOKS; look++) {
        await Promise.race([rest((ROUND_MS * rounds) / PARTS / LOOKS), run.failed]);
        looks.push(lookAround());
      }
      collect();
      const { heapUsed, heapTotal, rss } = process.memoryUsage();
      const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
      const youngBytes = young?.physical_space_size ?? Number.NaN;
      parts.push({
        ...{ heapMb: heapUsed / 1e6, rssMb: rss / 1e6 },
        ...{ youngMb: youngBytes / 1e6, oldMb: (heapTotal - youngBytes) / 1e6 },
        handles: median(looks.map(({ handles }) => handles)),
        listeners: median(looks.map(({ listeners }) => listeners)),
      });
    }
    const counts = await server.ask<SoakCounts>('counts' satisfies SoakOrder);
    await pace(1);
    await run.stop();
    return resultOf(parts, counts, warnings);
  } finally {
    server.stop();
    folder.remove();
  }
}

/** Handles that last (no timers, no single requests), and what listens to the process. */
function lookAround(): Look {
  const lasting = process
    .getActiveResourcesInfo()
    .filter((name) => !/Timeout|Immediate|Req|Wrap\b.*Request/.test(name) && !name.endsWith('REQWRAP'));
  const listeners = process
    .eventNames()
    .reduce((sum: number, name) => sum + process.listenerCount(name as 'exit'), 0);
  return { handles: lasting.length, listeners };
}

function resultOf(parts: readonly Part[], counts: SoakCounts, warnings: number): GroupResult {
  showTable(
    `G18 a live run on a clock ${FACTOR} times faster: ${counts.armed} renewals, ${counts.cuts} cuts, ${counts.losses} losses of frames, ${counts.orders} orders`,
    parts.map(({ heapMb, rssMb, youngMb, oldMb, handles, listeners }, at) => ({
      case: `${(at + 1) * (100 / PARTS)} %`,
      ...{ 'heap, MB': rounded(heapMb), 'rss, MB': rounded(rssMb) },
      ...{ 'of it young, MB': rounded(youngMb), 'old, MB': rounded(oldMb), handles, listeners },
    })),
  );
  const first = parts[0]!;
  const half = parts[PARTS / 2 - 1]!;
  const last = parts.at(-1)!;
  const more = last.handles + last.listeners - first.handles - first.listeners + warnings;
  const wasLive = counts.armed > 0 && counts.cuts > 0 && counts.losses > 0 && counts.orders > 0;
  const goal = (limit: Limit, value: number) =>
    wasLive ? reached(limit, value) : missed(limit, 'nothing was renewed, cut, lost or ordered');
  return {
    goals: [
      goal(LIMITS.heap, last.heapMb - first.heapMb),
      goal(LIMITS.half, last.heapMb - half.heapMb),
      goal(LIMITS.handles, more),
    ],
    figures: {
      'G18 heap, MB': rounded(last.heapMb),
      'G18 rss, MB': rounded(last.rssMb),
      'G18 rss at the end to half': rounded(last.rssMb / half.rssMb),
      'G18 rss without the young generation, MB': rounded(last.rssMb - last.youngMb),
      'G18 the same, at the end to a tenth': rounded(
        (last.rssMb - last.youngMb) / (first.rssMb - first.youngMb),
      ),
      'G18 renewals of the switch': counts.armed,
      'G18 cuts of all streams': counts.cuts,
      'G18 warnings of Node': warnings,
    },
  };
}
