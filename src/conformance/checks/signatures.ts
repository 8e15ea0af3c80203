/** @module Checks of signatures: what passes, and each cause of failure the interface names. */
import type { ReadWrite } from '../../wire/protocol/index.ts';
import { type Check, check } from '../check.ts';
import { answered, refused, same } from '../expect.ts';
import type { Probe } from '../probe.ts';
import type { TraderWriteOptions } from '../trader.ts';
import { place, schedule } from './steps.ts';

/** Places an order far from the market, signed in some other way, which must be 401. */
async function isRefused(probe: Probe, options: TraderWriteOptions): Promise<void> {
  const trader = await probe.trader();
  refused((await place(probe, trader, [{}], options)).answer, 401, 'GatewayBadSignature');
}

/** What is signed, with other fields than the JSON shows. */
const alter =
  (fields: (canonical: Record<string, unknown>) => object) =>
  (canonical: ReadWrite['canonical']): ReadWrite['canonical'] =>
    ({ ...canonical, ...fields({ ...canonical }) }) as ReadWrite['canonical'];

const PLACE_SHUFFLED =
  'PlaceOrder(uint32 account,address owner,uint16 market,uint8 side,uint32 price,uint64 lots,uint8 tif,bool reduceOnly,uint64 expiry,uint64 nowMs,uint32 router,uint32 routerFeePpm,uint64 nonce)';
const PLACE_RETYPED =
  'PlaceOrder(address owner,uint64 account,uint16 market,uint8 side,uint32 price,uint64 lots,uint8 tif,bool reduceOnly,uint64 expiry,uint64 nowMs,uint32 router,uint32 routerFeePpm,uint64 nonce)';

/** Signatures. */
export const SIGNATURE_CHECKS: readonly Check[] = [
  check('GW-SIGN-1', 'account', async (probe) => {
    const { answer } = await place(probe, await probe.trader());
    same('status', answered(answer).at('status'), 'executed');
  }),
  check('GW-SIGN-2', 'control', async (probe) => {
    const { answer } = await place(probe, await probe.trader(), [{}], { by: 'wallet' });
    same('status', answered(answer).at('status'), 'executed');
  }),
  check('GW-SIGN-3', 'account', async (probe) => {
    await isRefused(probe, { domain: { chainId: BigInt(probe.domain.chainId ?? 0) + 1n } });
  }),
  check('GW-SIGN-4', 'account', (probe) => isRefused(probe, { domain: { name: 'another exchange' } })),
  check('GW-SIGN-5', 'account', (probe) => isRefused(probe, { domain: { version: '0' } })),
  check('GW-SIGN-6', 'account', (probe) =>
    isRefused(probe, { domain: { verifyingContract: `0x${'1'.repeat(40)}` } }),
  ),
  check('GW-SIGN-7', 'account', (probe) =>
    isRefused(probe, { alter: alter(({ account }) => ({ account: Number(account) + 1 })) }),
  ),
  check('GW-SIGN-8', 'account', async (probe) => {
    const trader = await probe.trader();
    const nonce = BigInt((await trader.nonceRecord()).text('nonce'));
    await isRefused(probe, { signedNonce: nonce + 5n });
  }),
  check('GW-SIGN-9', 'account', (probe) =>
    isRefused(probe, { alter: alter(({ price }) => ({ price: Number(price) * 10 })) }),
  ),
  check('GW-SIGN-10', 'account', (probe) =>
    isRefused(probe, { alter: alter(({ lots }) => ({ lots: (lots as bigint) * 10n })) }),
  ),
  check('GW-SIGN-11', 'account', (probe) => isRefused(probe, { alter: alter(() => ({ side: 'sell' })) })),
  check('GW-SIGN-12', 'account', (probe) =>
    isRefused(probe, { alter: alter(({ nowMs }) => ({ nowMs: Number(nowMs) + 1 })) }),
  ),
  check('GW-SIGN-13', 'account', (probe) =>
    isRefused(probe, { alter: alter(({ market }) => ({ market: Number(market) + 1 })) }),
  ),
  check('GW-SIGN-14', 'account', (probe) => isRefused(probe, { alter: alter(() => ({ reduceOnly: true })) })),
  check('GW-SIGN-15', 'account', (probe) => isRefused(probe, { alter: alter(() => ({ tif: 'gtc' })) })),
  check('GW-SIGN-16', 'account', (probe) => isRefused(probe, { commandHash: new Uint8Array(32).fill(7) })),
  check('GW-SIGN-17', 'account', (probe) => isRefused(probe, { forgedBy: probe.freshKey() })),
  check('GW-SIGN-18', 'control', async (probe) => {
    const trader = await probe.trader();
    const { wallet } = trader.keys;
    const options = wallet === undefined ? {} : { forgedBy: wallet };
    refused((await place(probe, trader, [{}], options)).answer, 401, 'GatewayBadSignature');
  }),
  check('GW-SIGN-19', 'account', (probe) => isRefused(probe, { signer: null })),
  check('GW-SIGN-20', 'control', (probe) => isRefused(probe, { by: 'wallet', typeString: PLACE_SHUFFLED })),
  check('GW-SIGN-21', 'control', (probe) => isRefused(probe, { by: 'wallet', typeString: PLACE_RETYPED })),
  check('GW-SIGN-22', 'account', async (probe) => {
    const trader = await probe.trader();
    const { sent, answer } = await place(probe, trader);
    same('requestId', answered(answer).at('requestId'), sent.requestId);
  }),
  check('GW-SIGN-23', 'account', async (probe) => {
    const trader = await probe.trader();
    const options = { nonce: 1_000_000n, forgedBy: probe.freshKey() };
    refused((await place(probe, trader, [{}], options)).answer, 401, 'GatewayBadSignature');
  }),
  check('GW-SIGN-24', 'control', async (probe) => {
    const trader = await probe.trader();
    const { sent, answer } = await schedule(probe, trader, 0, { by: 'wallet' });
    same('requestId', answered(answer).at('requestId'), sent.requestId);
    answered((await trader.write('/v1/orders/cancel-all', {}, { by: 'wallet' })).answer);
    const leverage = { symbol: probe.market.symbol, leverage: 5 };
    answered((await trader.write('/v1/account/leverage', leverage, { by: 'wallet' })).answer);
  }),
];
