/**
 * Symptom: a life began in a new ledger with a write that the one before had left open in the old one; a replica that was
 * behind showed the old ledger once, the lanes went back to it and took the new one for past: the start never ended.
 */
import { expect, test } from 'vitest';
import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, refusal, TRADER } from '../unit/bot/execution/support.ts';

test.each([
  ['a receipt', 'receipt'],
  ['the list of open orders', 'orders'],
])(
  'a ledger that the journal has left is not gone back to, though %s shows it (O119, I18)',
  async (_what, where) => {
    const first = aBench();
    await first.start();
    first.gateway.fates.push({ kind: 'requestLost' });
    first.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
    await first.run(100);
    first.executor.dispose();
    const { gateway, clock } = first;
    const [before, now] = [gateway.epoch, 'epoch-2'];
    await Promise.all([first.journal.resetEpoch(now), first.run(10)]);
    gateway.epoch = now;
    const old = refusal(404, 'not_found', { status: 'not_found', epoch: before, asOfSeq: 101 });
    if (where === 'receipt') gateway.receiptAnswers.push(undefined, old);
    else {
      const openOrders = gateway.openOrders.bind(gateway);
      gateway.openOrders = async () => {
        gateway.openOrders = openOrders;
        gateway.epoch = before;
        const list = await openOrders();
        gateway.epoch = now;
        return list;
      };
    }
    const memory = createInMemoryJournal({ rows: first.journal.crash(), commit: { clock, delayMs: 1 } });
    const second = aBench({ clock, gateway, memory });
    const started = second.executor.start();
    await second.run(10_000);
    expect(await Promise.race([started, 'it never ends'])).toMatchObject({ epoch: now });
    expect(second.executor.unresolved()).toBe(0);
    second.executor.dispose();
  },
);
