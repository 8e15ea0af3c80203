/** @module Random commands of the kinds a market maker sends, as canonical bytes. */
import { type Random, seededRandom } from '../src/core/index.ts';
import type { CanonicalCommand, CanonicalOrder } from '../src/domain/index.ts';
import { encodeCommand } from '../src/wire/protocol/index.ts';

const NOW_MS = 1_790_000_000_000;

/** One command as it is signed. */
export interface SignedInput {
  readonly bytes: Uint8Array;
  readonly nonce: bigint;
}

/** `count` random commands; the same for the same seed. */
export function randomCommands(count: number, seed: string): readonly SignedInput[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => ({
    bytes: encodeCommand(randomCommand(random)),
    nonce: BigInt(random.integer(0, Number.MAX_SAFE_INTEGER)),
  }));
}

function randomCommand(random: Random): CanonicalCommand {
  const account = random.integer(0, 0xffff_ffff);
  const nowMs = NOW_MS + random.integer(0, 1_000_000);
  const orderId = () => ({
    market: random.integer(0, 999),
    orderSeq: BigInt(random.integer(0, 2 ** 48 - 1)),
  });
  const orders = () => Array.from({ length: random.integer(1, 6) }, () => randomOrder(random));
  switch (random.integer(0, 4)) {
    case 0:
      return {
        kind: 'PlaceOrder',
        account,
        ...randomOrder(random),
        goodTilMs: 0,
        nowMs,
        router: 0,
        routerFeePpm: 0,
      };
    case 1:
      return { kind: 'BatchPlace', account, nowMs, orders: orders() };
    case 2:
      return { kind: 'CancelOrder', account, orderId: orderId() };
    case 3:
      return { kind: 'ScheduleCancel', account, triggerMs: nowMs + 20_000, nowMs };
    default:
      return { kind: 'BatchReplace', account, nowMs, cancels: [orderId(), orderId()], orders: orders() };
  }
}

function randomOrder(random: Random): CanonicalOrder {
  return {
    market: random.integer(0, 999),
    side: random.chance(0.5) ? 'buy' : 'sell',
    price: random.integer(1, 0xffff_ffff),
    lots: BigInt(random.integer(1, Number.MAX_SAFE_INTEGER)),
    tif: random.chance(0.5) ? 'gtc' : 'postOnly',
    reduceOnly: random.chance(0.1),
  };
}
