/**
 * @module
 * A client for people on the embedded exchange in this process, on virtual time: every answer passes the wire that keeps
 * it, and a call is awaited while the clock moves.
 */
import { type Client, type ClientOptions, createClient } from '../../src/client/index.ts';
import { must, seededRandom, toHex } from '../../src/core/index.ts';
import type { ExchangeSettings } from '../../src/exchange/index.ts';
import { during } from '../contract/client.ts';
import { Wire } from '../contract/wire.ts';
import { startTestExchange, type TestExchange } from './test-exchange.ts';

/** A client with the exchange behind it. */
export interface PeopleClient {
  readonly venue: TestExchange;
  readonly wire: Wire;
  readonly client: Client;
  /** Awaits a call while virtual time passes. */
  now<T>(work: Promise<T>, msMax?: number): Promise<T>;
  /** What a call rejects with. */
  error(work: Promise<unknown>): Promise<Record<string, unknown>>;
  /** Another client of the same exchange over a wire of its own. */
  another(options: Partial<ClientOptions>): PeopleClient;
}

/** Who signs: the main wallet (default), or an API wallet by index. */
export interface PeopleOptions {
  readonly by?: 'wallet' | number | undefined;
  readonly settings?: Partial<ExchangeSettings>;
  readonly client?: Partial<ClientOptions>;
}

/** A client of a fresh exchange with one funded account. */
export async function startPeopleClient(options: PeopleOptions = {}): Promise<PeopleClient> {
  const venue = await startTestExchange(options.settings);
  return clientOf(venue, { ...identityOf(venue, options.by ?? 'wallet'), ...options.client });
}

/** The account of an exchange, signed for by its main wallet or by an API wallet. */
export function identityOf(venue: TestExchange, by: 'wallet' | number): Partial<ClientOptions> {
  const key = by === 'wallet' ? venue.account.key : must(venue.account.apiWallets[by], 'an API wallet').key;
  return { wallet: toHex(key.exposeBytes()), account: { address: venue.address } };
}

function clientOf(venue: TestExchange, options: Partial<ClientOptions>): PeopleClient {
  const wire = new Wire(venue.exchange, venue.clock);
  const client = createClient({
    baseUrl: 'http://in.process',
    transport: wire,
    clock: venue.clock,
    random: seededRandom(4),
    crypto: venue.crypto,
    ...options,
  });
  return {
    venue,
    wire,
    client,
    now: (work, msMax) => during(venue.clock, work, msMax),
    error: (work) =>
      during(
        venue.clock,
        work.then(
          () => {
            throw new Error('expected a rejection');
          },
          (thrown: unknown) => thrown as Record<string, unknown>,
        ),
      ),
    another: (others) => clientOf(venue, others),
  };
}
