/** @module A bot that has asked for a bracket: its entry rests, and its exits wait. */
import { Bracket, compose, defineStrategy, param } from '../../src/bot/strategy/index.ts';
import { lots, type Side, type Ticks, type WorkingOrder } from '../../src/domain/index.ts';
import { aRig, type Rig, setupOf } from './bot-rig.ts';
import { BTC, MAKER } from './trading-builders.ts';

/** A bracket of ten lots in BTC on `side`; its entry and its stop as they work. */
export function anEnteredBracket(
  side: Side,
  plan: { readonly entryTicks: Ticks; readonly stopTicks: Ticks; readonly takeProfitTicks: Ticks },
): { readonly rig: Rig; readonly entry: WorkingOrder; readonly stop: WorkingOrder } {
  const bracketed = defineStrategy({
    name: 'bracketed',
    parameters: param.object({}),
    create: (context) => {
      const bracket = new Bracket(context, { symbol: BTC });
      return compose(bracket, { onStart: () => void bracket.enter({ side, sizeLots: lots(10), ...plan }) });
    },
  });
  const rig = aRig([setupOf(bracketed)]);
  const orders = rig.bot.account.workingOrders(BTC, MAKER);
  const entry = orders.find(({ trigger }) => trigger === undefined);
  const stop = orders.find(({ trigger }) => trigger?.priceTicks === plan.stopTicks);
  if (entry === undefined || stop === undefined) throw new Error('expected an entry and a stop');
  return { rig, entry, stop };
}
