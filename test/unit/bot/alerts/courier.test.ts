import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../../src/bot/alerts/alert.ts';
import type { ChannelPlan } from '../../../../src/bot/alerts/channels.ts';
import { Courier } from '../../../../src/bot/alerts/courier.ts';
import { observedLog, secrets, silentLog, VirtualClock } from '../../../../src/core/index.ts';
import { aChannel, OtherSide, pass, SOURCE } from '../../../support/alert-scene.ts';

const alertOf = (about: string, severity: Alert['severity'] = 'warning', text = 'too old'): Alert => ({
  ...{ kind: 'stale-market', about, severity, state: 'raised', text, atMs: 1_700_000_000_000 },
});

function aCourier(changes: Partial<ChannelPlan> = {}) {
  const clock = new VirtualClock(1_700_000_000_000);
  const side = new OtherSide();
  const lines: string[] = [];
  const log = observedLog(silentLog, (_level, message, fields) =>
    lines.push(`${message} ${JSON.stringify(fields)}`),
  );
  const courier = new Courier(aChannel(changes), SOURCE, { clock, log, post: side.post });
  return { clock, side, courier, lines };
}

describe('a channel', () => {
  test('gets a document as a webhook, with its token', async () => {
    const { clock, side, courier } = aCourier({ token: 'token-of-the-hook' });
    courier.take(alertOf('BTC-USD'));
    await pass(clock, 0);
    expect(side.came).toMatchObject([
      {
        ...{ method: 'POST', url: aChannel().url },
        headers: { authorization: 'Bearer token-of-the-hook', 'content-type': 'application/json' },
        body: {
          ...{ schema: 1, source: 'ballast', run: SOURCE, dropped: 0 },
          text: 'maker (live, test, run run-1)\n[warning] stale-market BTC-USD: too old',
          alerts: [{ kind: 'stale-market', about: 'BTC-USD', severity: 'warning', state: 'raised' }],
        },
      },
    ]);
    expect(courier.figures()).toEqual({
      ...{ name: 'desk', kind: 'webhook', sent: 1, dropped: 0, failures: 0, waiting: 0 },
    });
  });

  test('gets text that is no markup and calls nobody as Telegram, Slack and Discord', async () => {
    const text = '@everyone <!channel> *bold* & more';
    const bodyAs = async (changes: Partial<ChannelPlan>) => {
      const { clock, side, courier } = aCourier(changes);
      courier.take(alertOf('BTC-USD', 'critical', text));
      await pass(clock, 0);
      return side.came[0];
    };
    const base = { url: 'https://api.telegram.org', token: '12345:abcdefgh', chat: '-100' } as const;
    const telegram = await bodyAs({ kind: 'telegram', ...base });
    expect(telegram?.url).toBe('https://api.telegram.org/bot12345:abcdefgh/sendMessage');
    expect(telegram?.body).toEqual({
      ...{ chat_id: '-100', disable_web_page_preview: true, text: expect.stringContaining(text) },
    });
    expect((await bodyAs({ kind: 'slack' }))?.body.text).toContain('&lt;!channel&gt; *bold* &amp; more');
    expect((await bodyAs({ kind: 'discord' }))?.body).toMatchObject({
      ...{ allowed_mentions: { parse: [] }, content: expect.stringContaining(text) },
    });
  });

  test('gets no secret, whatever a strategy throws', async () => {
    const secret = `secret-of-somebody-${process.pid}`;
    secrets.add(secret);
    const { clock, side, courier } = aCourier();
    courier.take(alertOf('BTC-USD', 'critical', `threw ${secret}`));
    await pass(clock, 0);
    expect(JSON.stringify(side.came[0]?.body)).not.toContain(secret);
    expect(side.came[0]?.body.text).toContain('[redacted]');
  });

  test('is told only what is severe enough', async () => {
    const { clock, side, courier } = aCourier({ minSeverity: 'critical' });
    courier.take(alertOf('BTC-USD', 'warning'));
    courier.take(alertOf('ETH-USD', 'critical'));
    await pass(clock, 1_000);
    expect(side.told()).toEqual(['stale-market ETH-USD raised']);
  });

  test('is sent so many messages a minute; what waits goes together', async () => {
    const { clock, side, courier } = aCourier({ maxPerMinute: 2 });
    for (let at = 0; at < 12; at++) {
      courier.take(alertOf(`M${at}`));
      await pass(clock, 100);
    }
    expect(side.came.length).toBe(2);
    await pass(clock, 60_000);
    expect(side.came.length).toBe(3);
    expect(side.told().length).toBe(12);
    expect(courier.figures()).toMatchObject({ sent: 12, dropped: 0, waiting: 0 });
  });

  test.each([['silence' as const], [new Error('connect ECONNREFUSED')], [500], [429]])(
    'that answers %s is asked again, and gets everything once it is back',
    async (reaction) => {
      const { clock, side, courier, lines } = aCourier();
      side.reactions = [reaction, reaction];
      courier.take(alertOf('BTC-USD'));
      await pass(clock, 60_000);
      expect(side.came.length).toBe(3);
      expect(courier.figures()).toMatchObject({ sent: 1, failures: 2, dropped: 0, waiting: 0 });
      expect(lines.filter((line) => line.startsWith('an alert could not be sent')).length).toBe(1);
      expect(lines.join()).not.toContain('very-secret-path');
    },
  );

  test('is asked again when it says so', async () => {
    const { clock, side, courier } = aCourier();
    side.reactions = [{ status: 429, retryAfterS: 30 }];
    courier.take(alertOf('BTC-USD'));
    await pass(clock, 29_000);
    expect(side.came.length).toBe(1);
    await pass(clock, 2_000);
    expect(side.came.length).toBe(2);
  });

  test('that refuses for good or never comes back loses alerts by name, and its next message says how many', async () => {
    const { clock, side, courier, lines } = aCourier();
    side.reactions = [404];
    courier.take(alertOf('BTC-USD'));
    await pass(clock, 1_000);
    expect(side.came.length).toBe(1);
    expect(courier.figures()).toMatchObject({ sent: 0, dropped: 1, lastError: 'status 404' });
    expect(lines.join('\n')).toContain('stale-market BTC-USD raised');
    side.always = 'silence';
    courier.take(alertOf('ETH-USD'));
    await pass(clock, 600_000);
    expect(courier.figures()).toMatchObject({ dropped: 2, waiting: 0 });
    side.always = undefined;
    courier.take(alertOf('SOL-USD'));
    await pass(clock, 120_000);
    expect(side.came.at(-1)?.body).toMatchObject({ dropped: 2, alerts: [{ about: 'SOL-USD' }] });
    expect(side.came.at(-1)?.body.text).toContain('2 alerts before these were dropped');
  });

  test('that is dead holds no more than it may, and keeps what is critical', async () => {
    const { clock, side, courier } = aCourier();
    side.always = 'silence';
    for (let at = 0; at < 100; at++) courier.take(alertOf(`C${at}`, 'critical'));
    for (let at = 0; at < 5_000; at++) courier.take(alertOf(`I${at}`, 'info'));
    expect(courier.figures().waiting).toBeLessThanOrEqual(200);
    side.always = undefined;
    await pass(clock, 300_000);
    const told = side.told().filter((one) => one.startsWith('stale-market C'));
    expect(new Set(told).size).toBe(100);
  });

  test('takes nothing more once it is closed', async () => {
    const { clock, side, courier } = aCourier();
    side.always = 'silence';
    courier.take(alertOf('BTC-USD'));
    courier.close();
    courier.take(alertOf('ETH-USD'));
    await pass(clock, 600_000);
    await courier.idle();
    expect(courier.figures()).toMatchObject({ waiting: 0, dropped: 1 });
  });
});
