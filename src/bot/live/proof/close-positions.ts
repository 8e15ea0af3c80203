/**
 * @module
 * What a stop does with open positions (`stop.position`): it leaves them, or closes them first through the kernel, as a person
 * would. Bounded in time, and not tried where no lane can write: the stop itself never waits for a market.
 */
import type { Config } from '../../../config/index.ts';
import type { Clock, Log } from '../../../core/index.ts';
import { closing, untilSettled } from '../../operator/index.ts';
import type { LiveBot } from '../live-bot.ts';
import { describeStop, type StopReason } from '../stop-signal.ts';

/** What a stop closes positions with. */
export interface Closing {
  readonly live: Pick<LiveBot, 'bot' | 'lanes' | 'symbols'>;
  readonly stop: Config['stop'];
  readonly reason: StopReason;
  readonly clock: Clock;
  readonly log: Log;
}

/** Closes what is held, where the configuration asks for it. */
export async function closeBeforeStop({ live, stop, reason, clock, log }: Closing): Promise<void> {
  const { bot, lanes, symbols } = live;
  if (stop.position === 'keep' || symbols.every((symbol) => bot.account.positionLots(symbol) === 0)) return;
  const why = `stop.position is flatten, and the run ends by ${describeStop(reason)}`;
  if (lanes.executor.lanes().every(({ haltCode }) => haltCode !== undefined)) {
    log.error('positions are not closed: no lane can write', { why });
    return;
  }
  log.info('positions are closed before the run ends', { withinMs: stop.flattenWithin });
  const scope = { kind: 'account' } as const;
  const look = closing(bot, scope);
  if (!bot.flatten({ actor: 'stop', reason: why, isOfStop: true }, scope)) return;
  const left = await untilSettled(clock, look, stop.flattenWithin);
  if (left.length > 0)
    log.error('positions could not be closed in time: they stay', {
      withinMs: stop.flattenWithin,
      left: left.join('; '),
    });
}
