/** @module A main wallet that approves on an embedded exchange in virtual time, with something on the way that meddles. */
import { must, seededRandom, silentLog, silentMeter, VirtualClock } from '../../src/core/index.ts';
import { Exchange, type InProcessTransport, inProcessTransport } from '../../src/exchange/index.ts';
import { loadCrypto, makeDomain } from '../../src/wire/crypto/index.ts';
import {
  createAccountSigner,
  createGateway,
  createMainWallet,
  readExchange,
} from '../../src/wire/gateway/index.ts';

/** How a request is carried. */
export type Carry = InProcessTransport['request'];

/** An approval that may be begun. */
export interface ApprovalRig {
  readonly clock: VirtualClock;
  /** Approves another account's key, and gives what became of it. */
  readonly approve: () => Promise<{ readonly seq: bigint }>;
  readonly close: () => Promise<void>;
}

/** Makes one whose requests all pass `meddle`. */
export async function approvalRig(
  meddle: (carry: Carry, clock: VirtualClock) => Carry,
): Promise<ApprovalRig> {
  const clock = new VirtualClock(1_767_700_020_000);
  const crypto = await loadCrypto();
  const exchange = new Exchange({ clock, random: seededRandom(4), crypto, settings: {} });
  exchange.start();
  const account = exchange.control.createFundedAccount({ apiWallets: 0 });
  const [other] = exchange.control.seedAccounts(1);
  await clock.advanceAsync(1_000);
  const through = inProcessTransport(exchange, { clock, requestLatencyMs: 3, answerLatencyMs: 3 });
  const gateway = createGateway({
    ...{ clock, random: seededRandom(5), log: silentLog, meter: silentMeter },
    baseUrl: 'http://in.process',
    transport: { ...through, request: meddle((request) => through.request(request), clock) },
  });
  const { client, reader } = gateway;
  const domain = makeDomain(crypto, (await passing(clock, readExchange(reader))).domain);
  const main = createMainWallet({
    client,
    reader,
    signer: createAccountSigner({ crypto, key: account.key, domain }),
    clock,
  });
  const agent = must(other, 'another account').address;
  return {
    clock,
    approve: () => passing(clock, main.change({ kind: 'ApproveAgent', agent, validUntilMs: 0 }, 0)),
    close: async () => {
      await gateway.close();
      exchange.stop();
    },
  };
}

/** The end of `work`, as virtual time passes: a minute at most. */
async function passing<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  work.then(over, over);
  for (let i = 0; i < 600 && !isOver; i++) await clock.advanceAsync(100);
  return await work;
}
