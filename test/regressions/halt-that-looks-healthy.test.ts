/**
 * Symptom: with the grant of its only trading wallet revoked, or halted by a control until a person resumes, a bot idled on
 * with `health ok`, renewed its switch and ended with the exit code of a good end.
 */
import { describe, expect, test } from 'vitest';
import { watchHalts } from '../../src/bot/live/watch/halt-watch.ts';
import { renderStatus } from '../../src/cli/terminal/status-line.ts';
import { observedLog, silentLog, VirtualClock } from '../../src/core/index.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { startBot } from '../contract/bot.ts';
import { BTC as LISTED } from '../contract/client.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { startTestExchange } from '../support/test-exchange.ts';
import { BTC } from '../support/trading-builders.ts';

/** A bid far below the market, another one with each book. */
const bidder = strategyOf((context) => ({
  onBook: (view) => {
    const priceTicks = ticks(
      Math.floor((view.bestBidTicks ?? 1_000_000) / 100) * 100 - 500 + (context.now() % 7),
    );
    context.quote(LISTED, { bids: [{ priceTicks, sizeLots: lots(100) }], asks: [] });
  },
}));

test('a bot whose only trading wallet has lost its grant ends by name, although its safety wallet has one', async () => {
  const venue = await startTestExchange();
  venue.another().place([
    { side: 'buy', price: '99990.0', size: '5.0000' },
    { side: 'sell', price: '100010.0', size: '5.0000' },
  ]);
  const bot = await startBot(venue, { a: bidder });
  await venue.clock.advanceAsync(2_000);
  const [trading, safety] = venue.account.apiWallets;
  expect(safety).toBeDefined();
  venue.exchange.control.revoke({ account: venue.address, agent: trading?.address ?? '0x' });
  for (let at = 0; at < 20; at++) {
    venue.another().place([{ side: 'buy', price: `${99_990 - at}.0`, size: '1.0000' }]);
    await venue.clock.advanceAsync(1_000);
  }
  expect(bot.halts.some((why) => why.startsWith('EXECUTION_GRANT_INVALID'))).toBe(true);
  expect(venue.exchange.control.venue.openOrders(venue.account.accountId)).toEqual([]);
  await bot.close();
});

test('a bot that has nothing to write ends by name once its trading wallet is revoked', async () => {
  const venue = await startTestExchange();
  const bot = await startBot(venue, { a: strategyOf(() => ({})) });
  await venue.clock.advanceAsync(60_000);
  expect(bot.halts).toEqual([]);
  const [trading] = venue.account.apiWallets;
  venue.exchange.control.revoke({ account: venue.address, agent: trading?.address ?? '0x' });
  await venue.clock.advanceAsync(60_000);
  expect(bot.halts).toEqual([expect.stringContaining('the exchange lists no grant of wallet')]);
  await bot.close();
});

describe('a halt that only a person ends', () => {
  test('stands in the status with control, scope and cause; a pause that ends on its own does not', () => {
    const rig = aRig(strategyOf(() => ({})));
    rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'halted', { actor: 'me', reason: 'test' });
    expect(rig.bot.status().halts).toEqual([{ control: 'operator', scope: BTC, reason: 'me: test' }]);
    expect(rig.bot.health().items.filter(({ isHealthy }) => !isHealthy)).toMatchObject([{ id: 'H10' }]);
    rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'active', { actor: 'me', reason: 'on' });
    expect(rig.bot.status().halts).toEqual([]);
  });

  test('is said once a minute with what resumes it', () => {
    const clock = new VirtualClock(0);
    const said: unknown[] = [];
    const log = observedLog(silentLog, (level, message, fields) => said.push([level, message, fields]));
    const halts = [{ control: 'M12', scope: 'account', reason: 'the switch fired twice' }];
    const status = () => ({ halts, strategies: [{ id: 'maker' }], markets: [{ symbol: BTC }] });
    const end = watchHalts({ clock, log, file: 'bot.yaml' }, { status } as never);
    clock.advance(59_000);
    expect(said).toEqual([
      [
        'error',
        'account is halted by M12 until a person resumes it',
        {
          cause: 'the switch fired twice',
          resume: 'see to the cause, stop this run, then start it again: ballast run bot.yaml',
        },
      ],
    ]);
    clock.advance(3_000);
    expect(said).toHaveLength(2);
    end();
  });

  test.each([
    ['account', 'M12', 'then: ballast resume demo --reason "..."'],
    [BTC, 'M1', `then: ballast resume demo --market ${BTC} --reason "..."`],
    ['maker', 'operator', 'then: ballast resume demo --strategy maker --reason "..."'],
    ['maker', 'lane bot', 'stop this run, then start it again: ballast run bot.yaml'],
  ])('of %s by %s is said with the command that resumes it', (scope, control, way) => {
    const clock = new VirtualClock(0);
    const said: unknown[] = [];
    const log = observedLog(silentLog, (_level, _message, fields) => said.push(fields?.['resume']));
    const halts = [{ control, scope, reason: 'why' }];
    const status = () => ({ halts, strategies: [{ id: 'maker' }], markets: [{ symbol: BTC }] });
    const end = watchHalts({ clock, log, file: 'bot.yaml', name: 'demo' }, { status } as never);
    clock.advance(1_000);
    expect(said).toEqual([`see to the cause, ${way}`]);
    end();
  });

  test('is red on the status line', () => {
    const status = {
      ...{ elapsedMs: 0, state: 'armed', reasons: [], markets: [], pnl: '0', fills: 0, orders: 0 },
      ...{ unresolved: 0, switchLeftS: 1, failing: [], halts: ['account by M12: the switch fired twice'] },
    };
    expect(renderStatus(status, 40)).toContain('HALTED account by M12: the switch fired twice');
  });
});
