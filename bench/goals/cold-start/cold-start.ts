/**
 * @module
 * G19: from the start of a process to a strategy that may quote (exchange, markets, nonces, streams, a warm signer, an armed
 * switch), beside a process that loads the same modules and makes the same requests without doing anything with the answers.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from '../../child.ts';
import { type GroupResult, type Limit, reached } from '../../goal.ts';
import { type Effort, inTurn, rounded, Samples } from '../../measure.ts';
import type { HeartbeatServerReady } from '../../servers/heartbeat-server.ts';
import { showTable } from '../../show.ts';
import { journalFolder } from '../tick-to-order/commit.ts';
import type { ColdCounts, ColdOrder, ColdRequest } from './wire.ts';

const ROUNDS_MAX = 9;
const OURS = 'ballast';
const BARE = 'bare';
const LIMIT: Limit = {
  id: 'G19',
  what: 'start of a process to a strategy that may quote, to the same modules and requests alone',
  limit: 1.5,
  better: 'lower',
};
const FILES = { [OURS]: 'cold-framework.ts', [BARE]: 'cold-bare.ts' } as const;

/** Measures G19. */
export async function coldStart({ rounds }: Effort): Promise<GroupResult> {
  const folder = journalFolder();
  const server = new Child(new URL('../../servers/heartbeat-server.ts', import.meta.url));
  const samples = new Samples();
  let requests: readonly ColdRequest[] = [];
  let starts = 0;
  try {
    const { origin, account } = await server.next<HeartbeatServerReady>();
    const start = async (name: keyof typeof FILES): Promise<number> => {
      // A journal of its own: the first start of a bot, each time.
      const own = join(folder.path, String(++starts));
      mkdirSync(own);
      const beganAtMs = performance.now();
      const child = new Child(new URL(`../../servers/${FILES[name]}`, import.meta.url));
      const counts = await child.ask<ColdCounts>({
        origin,
        account,
        folder: own,
        requests,
      } satisfies ColdOrder);
      const tookMs = performance.now() - beganAtMs;
      requests = counts.requests;
      if (name === OURS) await child.end('stop');
      else child.stop();
      return tookMs;
    };
    // What the disk and the exchange do for the first of all is of neither.
    await start(OURS);
    await start(BARE);
    for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++)
      for (const name of inTurn([OURS, BARE] as const, round)) samples.add(name, await start(name));
  } finally {
    server.stop();
    folder.remove();
  }
  showTable(
    `G19 cold start, ${requests.length} requests`,
    samples.names().map((name) => ({
      case: name,
      ms: rounded(samples.median(name)),
      'ms, best round': rounded(samples.min(name)),
      ratio: rounded(samples.ratio(name, BARE)),
    })),
  );
  return {
    goals: [reached(LIMIT, samples.ratio(OURS, BARE))],
    figures: {
      'G19 ballast, ms': rounded(samples.median(OURS)),
      'G19 bare, ms': rounded(samples.median(BARE)),
      'G19 requests': requests.length,
    },
  };
}
