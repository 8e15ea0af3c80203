/** @module Arms the dead man's switch as a run would: scope locks, journal, lanes, a signed schedule-cancel. Places nothing. */
import { seededRandom } from '../../../core/index.ts';
import { formerInstanceOf, instanceOf } from '../bot-name.ts';
import { openLanes } from '../connect/lanes.ts';
import { StartWrites } from '../start/startup-writes.ts';
import { switchNotArmed } from '../start/switch-refusals.ts';
import { waitFor } from '../start/wait-for.ts';
import { type CheckFinding, fine } from './check.ts';
import type { Examination } from './examination.ts';

const POLL_MS = 20;

/** Arms it for real. @throws BotError `PREFLIGHT_SWITCH_NOT_ARMED`, and what keeps lanes from opening. */
export async function examineSwitch(at: Examination): Promise<CheckFinding> {
  const { environment, crypto, wallets, signingAccountId, selection } = at;
  const { source, clock, log, lockFolder } = at.options;
  const { config } = source;
  at.needs(['grant'], 'a grant is missing');
  at.needs(['locks', 'journal'], 'another process has a wallet or the journal, or it cannot be read');
  // It would cancel orders that are not ours.
  at.needs(['orders'], 'a run is refused for the orders that are open');
  let armedUntilMs = 0;
  const writes = new StartWrites();
  const lanes = await openLanes({
    ...{ environment, crypto, wallets, signingAccountId, selection, clock, log, lockFolder },
    random: seededRandom('doctor'),
    instance: instanceOf(config),
    formerInstance: formerInstanceOf(config),
    journalFolder: config.journal.folder,
    journalReserveBytes: config.journal.minFreeDiskMb * 1024 * 1024,
    approvedAtSeq: new Map(),
    switch: { periodMs: config.deadMansSwitch.heartbeat, timeoutMs: config.deadMansSwitch.timeout },
    sink: (fact) => {
      writes.take(fact);
      if (fact.type === 'SwitchArmed') armedUntilMs = fact.triggerAtMs;
    },
    health: () => [],
    onBug: (error) => log.error('a bug in execution', { error }),
  });
  try {
    await lanes.executor.start();
    const isArmed = await waitFor(
      { clock, budget: environment.gateway.budget },
      { holds: () => armedUntilMs !== 0, pollMs: POLL_MS },
    );
    if (!isArmed) throw switchNotArmed([], writes.lastEnds());
    return fine(`armed until ${new Date(armedUntilMs).toISOString()}`);
  } finally {
    lanes.executor.dispose();
    await lanes.close();
  }
}
