/** @module Reads about what trading costs and who earns it: the fee schedule, builder dexes, builders. */
import type { WireBuilderSummary, WireDex, WireDexes, WireFees } from '../../../wire/protocol/index.ts';
import type { DexSettings } from '../../state/index.ts';
import { amountText } from '../json/market-json.ts';
import { type EndpointResult, ok, refuse } from './answer.ts';
import { addressOfPath, isRefusal, type ReadContext, type ReadTable } from './read.ts';

/** Handlers by endpoint. */
export const FEE_READS: ReadTable = {
  fees: ({ settings }) =>
    ok({
      base: { takerFeePpm: settings.takerFeePpm, makerFeePpm: settings.makerFeePpm },
      tiers: (settings.feeTiers ?? []).map(({ tier, volume, takerFeePpm, makerFeePpm }) => ({
        tier,
        volume: amountText(volume),
        takerFeePpm,
        makerFeePpm,
      })),
    } satisfies WireFees),
  dexes: ({ settings }) => ok({ dexes: settings.dexes.map(dexJson) } satisfies WireDexes),
  dex: ({ settings, params }) => {
    const dex = settings.dexes.find(({ id }) => id === params['id']);
    return dex === undefined ? refuse({ code: 'NotFound', message: 'no such dex' }) : ok(dexJson(dex));
  },
  builderSummary: readBuilder,
};

function dexJson({ id, name, deployer, symbols, feeScalePpm, deployerFeePpm }: DexSettings): WireDex {
  return { id, name, deployer, symbols, feeScalePpm, deployerFeePpm };
}

/** Any wallet with an account is a builder as soon as an order names it. */
function readBuilder(context: ReadContext): EndpointResult {
  const { state } = context;
  const builder = addressOfPath(context);
  if (isRefusal(builder)) return refuse(builder);
  const account = state.registry.find(builder, 0);
  if (account === undefined)
    return refuse({ code: 'NotFound', message: 'no such builder: it has no account' });
  const { feesEarned, volume } = state.venue.builder(account.id);
  return ok({
    builder,
    accountId: account.id,
    feesEarned: amountText(feesEarned),
    volume: amountText(volume),
  } satisfies WireBuilderSummary);
}
