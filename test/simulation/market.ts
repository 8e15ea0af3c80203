/**
 * @module
 * The market that worlds live in: participants that act seldom, so that most of a second's work is the bot's own, and
 * still take its orders now and then.
 */
import {
  createSyntheticParticipants,
  defaultSyntheticParticipants,
  type Participants,
} from '../../src/exchange/index.ts';

/** Makes these markets live calmly, with a trade each few seconds in each. */
export function calmFlow(markets: readonly number[]): Participants {
  const { index, noise, informed, makers } = defaultSyntheticParticipants();
  return createSyntheticParticipants({
    markets,
    index: { ...index, stepMs: 5_000, jumpProbability: 0.05, jumpPpm: 1_500 },
    noise: { ...noise, perSecond: 0.022, sweepProbability: 0.05 },
    informed: { ...informed, notionalMax: 2_000_000_000 },
    makers: makers.map((maker) => ({ ...maker, requoteMs: maker.requoteMs * 12, levels: 3 })),
  });
}
