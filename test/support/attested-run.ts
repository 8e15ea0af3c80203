/** @module The newest run of a simulated bot attested, and what anybody reads of its account. */
import { attestationOf } from '../../src/bot/live/attest/attestation.ts';
import { type Attestation, type AttestFacts, signerOf } from '../../src/bot/live/attest/document.ts';
import type { PublicRecords } from '../../src/bot/live/attest/verify.ts';
import { type Environment, openEnvironment } from '../../src/bot/live/connect/environment.ts';
import { readAccountSnapshot } from '../../src/bot/live/proof/account-snapshot.ts';
import type { AccountSnapshot } from '../../src/bot/live/proof/proof.ts';
import { must, seededRandom, silentLog, silentMeter } from '../../src/core/index.ts';
import { inProcessTransport } from '../../src/exchange/server/index.ts';
import type { OpenWorld } from '../simulation/world.ts';

/** What anybody reads of the account of a world, over a connection of its own. */
export async function readWorld(
  world: OpenWorld,
): Promise<{ readonly snapshot: AccountSnapshot; readonly environment: string }> {
  const { exchange, clock, crypto, account } = world;
  const { headerPrefix, basePath } = exchange.settings;
  const latency = { requestLatencyMs: 1, answerLatencyMs: 1, frameLatencyMs: 1 };
  const reading = openEnvironment({
    ...{ baseUrl: `http://in.process${basePath}`, headerPrefix },
    transport: inProcessTransport(exchange, { clock, ...latency }),
    ...{ clock, random: seededRandom('reader'), log: silentLog, meter: silentMeter, crypto },
  }).then(async (environment: Environment) => {
    const snapshot = await readAccountSnapshot(environment, account, undefined);
    await environment.gateway.close();
    return { snapshot, environment: environment.id };
  });
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  reading.then(over, over);
  for (let n = 0; !isOver && n < 100_000; n++) await clock.advanceAsync(5);
  return await reading;
}

/** Attests with the trading wallet of a world; `facts`: those of its newest run, unless they are given. */
export async function attested(
  world: OpenWorld,
  runId: string,
  facts: AttestFacts = must(world.bot.life.attestFacts, 'the facts of a run that has ended'),
): Promise<{
  readonly document: Attestation;
  readonly records: PublicRecords;
  readonly signedBy: string | undefined;
  readonly snapshot: AccountSnapshot;
}> {
  const { crypto } = world;
  const wallet = world.wallets().find(({ role }) => role === 'trading');
  const { snapshot, environment } = await readWorld(world);
  const document = await attestationOf({ runId, facts, snapshot }, crypto, must(wallet, 'a wallet').key);
  const records = { ...snapshot, environment, agents: world.agents() };
  return { document, records, signedBy: signerOf(document, crypto), snapshot };
}
