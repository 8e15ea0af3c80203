/**
 * @module
 * One environment, connected and read: signing domain, markets, the exchange's clock. Everything here comes from the
 * gateway itself (obligations O3, O4); nothing is signed yet.
 */
import {
  BotError,
  type Clock,
  GatewayError,
  type Log,
  type Metrics,
  messageOf,
  type Random,
  TransportError,
} from '../../../core/index.ts';
import type { Market, MarketSymbol } from '../../../domain/index.ts';
import { type Crypto, type Domain, makeDomain } from '../../../wire/crypto/index.ts';
import {
  type AnswerTap,
  type BudgetSharing,
  createGateway,
  type Gateway,
  type NetworkRoute,
  type RequestBudget,
  readExchange,
  readMarkets,
  type Transport,
} from '../../../wire/gateway/index.ts';
import {
  CODEC_VERSION,
  type DecodeContext,
  type ExchangeEnvironment,
  STRUCTS,
  type StructTable,
} from '../../../wire/protocol/index.ts';

/** What an environment is opened with. */
export interface EnvironmentOptions {
  /** URL of the gateway, without a trailing slash. */
  readonly baseUrl: string;
  /** In place of the network. */
  readonly transport?: Transport;
  /** Certificates and an outgoing proxy on the way there: {@link routeOf}; absent: straight. */
  readonly route?: NetworkRoute | undefined;
  /** Prefix of the gateway's own headers. */
  readonly headerPrefix: string;
  /** Of another connection of this process to the same gateway. */
  readonly budget?: RequestBudget;
  /** Who of this machine uses the request budgets, too; absent: nobody. */
  readonly sharing?: BudgetSharing | undefined;
  /** Is shown every answer over REST. */
  readonly onAnswer?: AnswerTap | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly meter: Metrics;
  readonly crypto: Crypto;
  /** What is signed; default: ballast's own table. */
  readonly structs?: StructTable;
}

/** A connected environment. */
export interface Environment {
  /** Chain id and domain as one text: what journals and locks are bound to. */
  readonly id: string;
  readonly gateway: Gateway;
  readonly info: ExchangeEnvironment;
  readonly domain: Domain;
  /** The markets by symbol. */
  readonly markets: ReadonlyMap<MarketSymbol, Market>;
  /** Markets that cannot be traded exactly, with the reason. */
  readonly refused: readonly { readonly symbol: string; readonly why: string }[];
  readonly context: DecodeContext;
  readonly structs: StructTable;
}

/** Connects and reads. @throws BotError `PREFLIGHT_UNREACHABLE`, `PREFLIGHT_CODEC_UNSUPPORTED` when the gateway cannot be used. */
export async function openEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const gateway = createGateway(options);
  try {
    await gateway.start();
    const info = await readExchange(gateway.reader);
    refuseUnsupportedCodec(info);
    const { markets, refused } = await readMarkets(gateway.reader, info.collateralDecimals);
    const bySymbol = new Map(markets.map((market) => [market.symbol, market]));
    const domain = makeDomain(options.crypto, info.domain);
    const { name, version, verifyingContract } = info.domain;
    return {
      id: `${info.chainId} ${name} ${version} ${verifyingContract}`,
      gateway,
      info,
      domain,
      markets: bySymbol,
      refused,
      context: {
        market: (symbol) => bySymbol.get(symbol),
        collateralDecimals: info.collateralDecimals,
        collateralToken: info.collateralToken,
      },
      structs: options.structs ?? STRUCTS,
    };
  } catch (thrown) {
    await gateway.close();
    throw thrown instanceof TransportError || thrown instanceof GatewayError
      ? unreachable(options.baseUrl, thrown)
      : thrown;
  }
}

function refuseUnsupportedCodec(info: ExchangeEnvironment): void {
  if (info.codecVersion === undefined || info.codecVersion === CODEC_VERSION) return;
  throw new BotError({
    code: 'PREFLIGHT_CODEC_UNSUPPORTED',
    message: `expected canonical bytes of version ${CODEC_VERSION}, got version ${info.codecVersion} from the exchange`,
    remedy: 'Every signature would be refused: use a version of ballast that knows this codec.',
  });
}

function unreachable(baseUrl: string, cause: BotError): BotError {
  return new BotError({
    code: 'PREFLIGHT_UNREACHABLE',
    message: `expected a gateway at ${baseUrl}, but ${messageOf(cause)}`,
    remedy: 'Check environment.baseUrl, the network, and whether the gateway is up.',
    details: cause.details,
    cause,
  });
}
