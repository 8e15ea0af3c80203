/** @module Scenarios of the ends: ledgers, markets, clocks, deaths, disks, and what only a person clears. */
import { pause } from '../processes.ts';
import {
  AFTER_OUTAGE_S,
  answering,
  at,
  edited,
  hitting,
  isOf,
  nothing,
  RETURN_S,
  scenariosOf,
} from './faults.ts';
import type { Json } from './proxy.ts';
import { SYMBOL } from './scene.ts';

/** In the order in which they run. */
export const EXCHANGE_SCENARIOS = scenariosOf((add) => {
  // The exchange.
  add(
    'exchange',
    'epoch',
    'a new ledger begins while a position is held',
    async (scene) => {
      await scene.poke();
      await scene.control('epoch');
    },
    { withinS: AFTER_OUTAGE_S, isNewHistory: true },
  );
  add(
    'exchange',
    'epoch-on-streams',
    'a new ledger begins on open streams',
    async (scene) => {
      await scene.poke();
      await scene.control('epoch', { keepStreams: true });
    },
    { withinS: AFTER_OUTAGE_S, isNewHistory: true },
  );
  add(
    'exchange',
    'restart',
    'the exchange restarts in 3 s',
    async (scene) => {
      await scene.control('restart', { down: '3s' });
      await pause(3_000);
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add('exchange', 'switch-fired', 'the switch fires early', async (scene) => {
    await scene.control('fire-dead-mans-switch', { account: scene.bot.account.address });
  });
  add(
    'exchange',
    'switch-refused',
    'the switch cannot be armed for 5 s',
    async (scene) => {
      await scene.control('min-switch-lead', { lead: '1h' });
      await pause(5_000);
      await scene.control('min-switch-lead', { lead: '0ms' });
    },
    { withinS: AFTER_OUTAGE_S },
  );
  for (const [name, status, ms, words] of [
    ['paused', 'Paused', 3_000, 'is paused for 3 s'],
    ['cancel-only', 'CancelOnly', 8_000, 'takes cancels alone for 8 s'],
  ] as const)
    add(
      'exchange',
      `market-${name}`,
      `the market ${words}`,
      async (scene) => {
        await scene.control('market-status', { symbol: SYMBOL, status });
        await pause(ms);
        await scene.control('market-status', { symbol: SYMBOL, status: 'Active' });
      },
      { withinS: RETURN_S },
    );
  for (const [name, words, rules, before] of [
    ['tick', 'another tick', { tickSize: '1' }, { tickSize: '0.5' }],
    ['lot', 'a coarser lot', { lotSize: '0.002' }, { lotSize: '0.001' }],
    ['notional', 'a greater least notional', { minNotional: '1000000' }, { minNotional: '0' }],
  ] as const)
    add(
      'exchange',
      name,
      `the market has ${words} for 8 s`,
      async (scene) => {
        await scene.control('market-rules', { symbol: SYMBOL, ...rules });
        await pause(8_000);
        await scene.control('market-rules', { symbol: SYMBOL, ...before });
      },
      { withinS: RETURN_S },
    );
  add('exchange', 'rolling-deploy', 'two versions of the gateway answer in turns for 8 s', async (scene) => {
    let count = 0;
    const turn = edited((body) =>
      count++ % 2 === 0
        ? body
        : { ...body, version: { ...body.version, pkg: '0.2.0', buildId: 'next', snapshotVersion: 23 } },
    );
    await answering(8_000, { on: at(/\/exchange$/), after: turn })(scene);
  });
  add(
    'exchange',
    'one-wrong-market',
    'one answer about the markets differs',
    async (scene) => {
      const fault = scene.proxy.requests({
        on: at(/\/markets$/),
        after: edited((body) => ({
          markets: body.markets?.map((one: Json) => ({ ...one, tickSize: '5', lotSize: '1' })),
        })),
        times: 1,
      });
      scene.proxy.closeStreams(1012);
      await scene.during(4_000, fault);
    },
    { withinS: 30 },
  );
  add(
    'exchange',
    'exchange-stops',
    'the exchange stands still for 5 s',
    async (scene) => {
      const { pid } = await scene.exchange.worker();
      process.kill(pid, 'SIGSTOP');
      await pause(5_000);
      process.kill(pid, 'SIGCONT');
    },
    { withinS: AFTER_OUTAGE_S },
  );
  for (const [name, ms, words] of [
    ['fast', 3_000, '3 s fast'],
    ['slow', -3_000, '3 s slow'],
  ] as const)
    add(
      'clocks',
      `exchange-${name}`,
      `the clock of the exchange is ${words} for 4 s`,
      async (scene) => {
        await scene.control('clock-skew', { ms });
        await pause(4_000);
        await scene.control('clock-skew', { ms: 0 });
      },
      { withinS: 30 },
    );
  for (const [name, ms, words] of [
    ['ahead', 5_000, '5 s ahead'],
    ['back', -5_000, '5 s back'],
    ['day', 86_400_000, 'a day ahead'],
  ] as const)
    add(
      'clocks',
      `bot-${name}`,
      `the clock of the bot's machine steps ${words}, and returns after 4 s`,
      async (scene) => {
        scene.stepClock(ms);
        await pause(4_000);
        scene.stepClock(0);
      },
      { withinS: 30 },
    );

  // Deaths.
  add(
    'deaths',
    'proxy',
    'the way to the exchange is gone for 4 s',
    async (scene) => {
      await scene.proxy.close();
      await pause(4_000);
      await scene.proxy.open();
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add('deaths', 'exchange', 'the exchange dies and comes back', (scene) => scene.exchangeDies(1_000), {
    withinS: 30,
  });
  add(
    'deaths',
    'bot',
    'the bot is killed and starts again',
    async (scene) => {
      await scene.killBot();
      await scene.poke();
      scene.startBot();
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'deaths',
    'bot-stands',
    'the bot stands still for 5 s',
    async (scene) => {
      await scene.signalBot('SIGSTOP');
      await pause(5_000);
      await scene.signalBot('SIGCONT');
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'deaths',
    'fill-between',
    'fills happen between the end of a bot and its next start',
    async (scene) => {
      await scene.killBot();
      for (let n = 0; n < 3; n++) await scene.poke();
      await pause(500);
      scene.startBot();
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'deaths',
    'lost-then-killed',
    'a fill is lost, and the bot is killed and starts again',
    async (scene) => {
      await hitting({ on: isOf('fills', 'ledger'), to: nothing }, 2)(scene);
      await scene.killBot();
      scene.startBot();
    },
    { withinS: AFTER_OUTAGE_S, person: /PREFLIGHT_ORPHAN_POSITION/ },
  );
  add(
    'deaths',
    'old-journal',
    'the journal is the one of a backup',
    async (scene) => {
      await scene.stopBot();
      scene.backup();
      scene.startBot();
      await scene.bot.quoting(scene.process);
      for (let n = 0; n < 4; n++) await scene.poke();
      await scene.stopBot();
      scene.backup(true);
      scene.startBot();
    },
    { withinS: AFTER_OUTAGE_S, person: /PREFLIGHT_|JOURNAL_/ },
  );

  // What stays wrong until somebody looks.
  add(
    'persons',
    'codec-unknown',
    'the gateway speaks another codec from now on',
    answering(8_000, {
      on: at(/\/exchange$/),
      after: edited((body) => ({ ...body, version: { ...body.version, codecVersion: 2 } })),
    }),
    { withinS: 30, person: /ENVIRONMENT_CODEC_UNSUPPORTED/, exits: 78 },
  );
  add(
    'persons',
    'revoked',
    'the grants of the wallets are revoked',
    async (scene) => {
      await scene.control('revoke', { account: scene.bot.account.address });
      await pause(3_000);
    },
    { withinS: 30, person: /EXECUTION_GRANT_INVALID/, exits: 77 },
  );
  add(
    'persons',
    'domain',
    'the signing domain changes and stays so',
    async (scene) => {
      await scene.control('domain', { version: '2' });
      await pause(20_000);
      await scene.control('domain', { version: '1' });
    },
    { withinS: 60, person: /ENVIRONMENT_DOMAIN_CHANGED|EXECUTION_SIGNATURE_REFUSED/, exits: 69 },
  );
  add(
    'disks',
    'full-log',
    'standard error is on a full disk',
    async (scene) => {
      await scene.poke();
      await pause(2_000);
    },
    { start: { errorsTo: '/dev/full' } },
  );
});
