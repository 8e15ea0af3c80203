/**
 * @module
 * Writes of API wallets, signed before anything is measured: single orders, or batches, that meet each other in the book,
 * each fifth write a cancel-all. One wallet is one nonce scope: its writes must arrive in their order.
 */
import { type Clock, must, seededRandom } from '../src/core/index.ts';
import {
  type Address,
  type CanonicalCommand,
  type CanonicalOrder,
  type Nonce,
  quantums,
} from '../src/domain/index.ts';
import { Exchange, perpetual } from '../src/exchange/index.ts';
import { type Crypto, makeAgentExecDigest, makeDomain } from '../src/wire/crypto/index.ts';
import { createApiWallet } from '../src/wire/gateway/index.ts';
import { composeWrite, encodeCommand } from '../src/wire/protocol/index.ts';

/** What a wallet and its exchange are made of. */
export interface Scene {
  readonly exchange: Exchange;
  readonly wallets: readonly FundedWallet[];
}

/** A funded account with one API wallet. */
export interface FundedWallet {
  readonly account: Address;
  readonly accountId: number;
  readonly sign: (bytes: Uint8Array, nonce: bigint) => `0x${string}`;
  readonly digest: (bytes: Uint8Array, nonce: bigint) => Uint8Array;
  readonly signer: Address;
  nextNonce: bigint;
}

/** A signed write, as bytes of a request and as what they mean. */
export interface SignedWrite {
  readonly wallet: FundedWallet;
  readonly path: string;
  readonly body: string;
  readonly command: CanonicalCommand;
  readonly digest: Uint8Array;
  readonly signature: string;
}

/** Orders in a batch. */
export const BATCH = 10;
/** Each so many writes the account's orders are canceled: the book stays small. */
const CANCEL_ALL_EVERY = 5;
const INDEX_TICKS = 118_000;
/** More than any account here can lose. */
const CASH = quantums(1_000_000_000_000_000n);
/** What no run exhausts. */
const BUDGET = 1_000_000_000;
const NOW_MS = 1_790_000_000_000;
const SYMBOL = 'BTC-USD';
const SIZE_DECIMALS = 3;

/** An exchange with `count` funded wallets; `checksSignatures` as given. */
export function openScene(
  crypto: Crypto,
  clock: Clock,
  { count, checksSignatures }: { readonly count: number; readonly checksSignatures: boolean },
): Scene {
  const exchange = new Exchange({
    clock,
    random: seededRandom('signed writes'),
    crypto,
    settings: {
      markets: [
        perpetual({
          symbol: SYMBOL,
          signingMarketId: 0,
          priceDecimals: 0,
          sizeDecimals: SIZE_DECIMALS,
          indexTicks: INDEX_TICKS,
        }),
      ],
      checksSignatures,
      ipWeightLimit: BUDGET,
      accountWeightLimit: BUDGET,
    },
  });
  const domain = makeDomain(crypto, exchange.domain);
  const digestOf = makeAgentExecDigest(crypto, domain);
  const wallets = Array.from({ length: count }, (): FundedWallet => {
    const { address, accountId, apiWallets } = exchange.control.createFundedAccount({
      apiWallets: 1,
      balance: CASH,
    });
    const { key } = must(apiWallets[0], 'an API wallet');
    const wallet = createApiWallet({ crypto, key, domain });
    return {
      account: address,
      accountId,
      signer: wallet.address,
      sign: (bytes, nonce) => wallet.prepare(bytes, nonce as Nonce).sign(),
      digest: (bytes, nonce) => digestOf(crypto.keccak256(bytes), nonce).slice(),
      nextNonce: 0n,
    };
  });
  return { exchange, wallets };
}

/** The next `count` writes of `wallet`, each with `batch` orders. */
export function signedWrites(wallet: FundedWallet, count: number, batch: number): readonly SignedWrite[] {
  return Array.from({ length: count }, (_none, at) => {
    const isCancelAll = at % CANCEL_ALL_EVERY === CANCEL_ALL_EVERY - 1;
    return isCancelAll ? cancelAll(wallet) : placement(wallet, at, batch);
  });
}

/** Orders in `count` writes of {@link signedWrites}; a cancel-all counts as one, as it does in the yardstick's flow. */
export function ordersIn(count: number, batch: number): number {
  const cancels = Math.floor(count / CANCEL_ALL_EVERY);
  return (count - cancels) * batch + cancels;
}

function cancelAll(wallet: FundedWallet): SignedWrite {
  return signed(wallet, '/v1/orders/cancel-all', {}, { kind: 'CancelAll', account: wallet.accountId });
}

function placement(wallet: FundedWallet, at: number, batch: number): SignedWrite {
  const account = wallet.accountId;
  const orders = Array.from({ length: batch }, (_none, index) => order(at * batch + index + account));
  const wire = orders.map(({ side, price, lots }) => ({
    symbol: SYMBOL,
    side,
    price: String(price),
    size: `0.${String(lots).padStart(SIZE_DECIMALS, '0')}`,
    timeInForce: 'gtc',
    reduceOnly: false,
  }));
  const [single] = orders;
  const command: CanonicalCommand =
    batch === 1 && single !== undefined
      ? { kind: 'PlaceOrder', account, ...single, goodTilMs: 0, nowMs: NOW_MS, router: 0, routerFeePpm: 0 }
      : { kind: 'BatchPlace', account, nowMs: NOW_MS, orders };
  return signed(wallet, '/v1/orders', { orders: wire, nowMs: NOW_MS }, command);
}

/** Around the index price: some trade, some rest. */
function order(at: number): CanonicalOrder {
  const isBuy = (at & 1) === 1;
  const price = INDEX_TICKS + ((at * 7) % 41) - 20 + (isBuy ? -15 : 15);
  return {
    market: 0,
    side: isBuy ? 'buy' : 'sell',
    price,
    lots: BigInt(1 + (at % 9)),
    tif: 'gtc',
    reduceOnly: false,
  };
}

function signed(
  wallet: FundedWallet,
  path: string,
  body: Readonly<Record<string, unknown>>,
  command: CanonicalCommand,
): SignedWrite {
  const nonce = wallet.nextNonce++;
  const bytes = encodeCommand(command);
  const signature = wallet.sign(bytes, nonce);
  const { account, signer } = wallet;
  const text = composeWrite(body, { account, signer, nonce, signature });
  return { wallet, path, body: text, command, digest: wallet.digest(bytes, nonce), signature };
}
