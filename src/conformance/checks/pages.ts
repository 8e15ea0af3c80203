/** @module Checks of history pages: bounds, cursors, epochs, gaps. */
import type { ReceivedAnswer } from '../answer.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, matches, refused, same } from '../expect.ts';
import type { Probe } from '../probe.ts';
import type { Trader } from '../trader.ts';
import { rest, sizeOf, trade } from './steps.ts';

const PATHS = ['/v1/account/fills', '/v1/account/ledger', '/v1/events'] as const;
const CURSOR = /^[0-9]+-[0-9]+-[0-9]+$/;

/** A page of `path` for the trader; raw events belong to no account. */
function page(trader: Trader, path: string, query = ''): Promise<ReceivedAnswer> {
  return trader.read(`${path}?${query}`.replace(/[?&]$/, ''));
}

/** An account that has bought three times, so that its histories have entries. */
async function busy(probe: Probe): Promise<Trader> {
  const [maker, taker] = [await probe.trader(), await probe.trader()];
  for (let i = 0; i < 3; i++) await trade(probe, { maker, taker }, await sizeOf(probe));
  return taker;
}

const boundsOf = (first: ReceivedAnswer): string =>
  `epoch=${first.text('epoch')}&upper=${first.text('upper')}`;
const idsOf = (answer: ReceivedAnswer): readonly string[] =>
  answer.list('data').map((entry) => entry.text('id'));

/** Compares ids as numbers, part by part. */
function isAfter(id: string, other: string): boolean {
  const [a, b] = [id, other].map((text) => text.split('-').map(BigInt));
  for (let i = 0; i < 3; i++) {
    const difference = (a?.[i] ?? 0n) - (b?.[i] ?? 0n);
    if (difference !== 0n) return difference > 0n;
  }
  return false;
}

/** All pages from the first one, `limit` entries each. */
async function walk(trader: Trader, path: string, limit: number): Promise<readonly string[]> {
  const first = answered(await page(trader, path, `limit=${limit}`));
  const ids = [...idsOf(first)];
  let last = first;
  for (let count = 0; last.at('hasMore') === true && count < 1_000; count++) {
    last = answered(await page(trader, path, `limit=${limit}&after=${last.text('next')}&${boundsOf(first)}`));
    same('bounds', boundsOf(last), boundsOf(first));
    ids.push(...idsOf(last));
  }
  return ids;
}

/** First pages and later ones. */
export const PAGE_CHECKS: readonly Check[] = [
  check('GW-PAGES-1', 'account', async (probe) => {
    const trader = await probe.trader();
    for (const path of PATHS) {
      const first = answered(await page(trader, path, 'limit=1'));
      matches('epoch', first.at('epoch'), /./);
      matches('upper', first.at('upper'), /^[0-9]+-65535-4294967295$/);
      holds(
        'hasMore and data',
        typeof first.at('hasMore') === 'boolean' && Array.isArray(first.at('data')),
        first.value,
      );
    }
  }),
  check('GW-PAGES-2', 'control', async (probe) => {
    const trader = await busy(probe);
    for (const path of PATHS.slice(0, 2)) {
      const ids = await walk(trader, path, 1_000);
      holds('entries', ids.length >= 3, ids);
      for (const [index, id] of ids.entries()) {
        matches('id', id, CURSOR);
        const before = ids[index - 1];
        if (before !== undefined) holds('ids that rise', isAfter(id, before), [before, id]);
      }
    }
  }),
  check('GW-PAGES-3', 'control', async (probe) => {
    const trader = await busy(probe);
    for (const path of PATHS.slice(0, 2))
      same('all pages', await walk(trader, path, 1), await walk(trader, path, 1_000));
  }),
  check('GW-PAGES-4', 'control', async (probe) => {
    const trader = await busy(probe);
    const first = answered(await page(trader, '/v1/account/fills', 'limit=1'));
    same('next', [first.text('next'), first.at('hasMore')], [idsOf(first).at(-1), true]);
    const rest = answered(
      await page(trader, '/v1/account/fills', `after=${first.text('next')}&${boundsOf(first)}`),
    );
    holds(
      'entries behind the cursor alone',
      idsOf(rest).every((id) => isAfter(id, first.text('next'))),
      rest.value,
    );
  }),
  check('GW-PAGES-5', 'control', async (probe) => {
    const trader = await busy(probe);
    const first = answered(await page(trader, '/v1/account/fills', 'limit=2'));
    await trade(probe, { maker: trader, taker: await probe.trader() }, await sizeOf(probe));
    const later = answered(
      await page(trader, '/v1/account/fills', `after=${first.text('next')}&${boundsOf(first)}`),
    );
    same('the bound', later.at('upper'), first.at('upper'));
    same('entries up to the bound', idsOf(later).length, 1);
  }),
  check('GW-PAGES-6', 'account', async (probe) => {
    const trader = await probe.trader();
    for (const path of PATHS) {
      const answer = refused(await page(trader, path, 'after=1-0-0'), 400, 'InvalidPagination');
      same('the message', answer.at('error.message'), 'resume requires epoch and upper from the first page');
    }
  }),
  check('GW-PAGES-7', 'account', async (probe) => {
    const trader = await probe.trader();
    for (const path of PATHS) {
      const first = answered(await page(trader, path, 'limit=1'));
      refused(await page(trader, path, `after=1-0-0&epoch=${first.text('epoch')}`), 400, 'InvalidPagination');
      refused(await page(trader, path, `after=1-0-0&upper=${first.text('upper')}`), 400, 'InvalidPagination');
    }
  }),
  check('GW-PAGES-8', 'account', async (probe) => {
    const trader = await probe.trader();
    for (const path of PATHS) {
      const first = answered(await page(trader, path, 'limit=1'));
      for (const after of ['x', '1-2', '1-2-3-4', '-1-0-0'])
        refused(await page(trader, path, `after=${after}&${boundsOf(first)}`), 400, 'InvalidPagination');
    }
  }),
  check('GW-PAGES-9', 'account', async (probe) => {
    const trader = await probe.trader();
    for (const path of PATHS) {
      const first = answered(await page(trader, path, 'limit=1'));
      const query = `after=1-0-0&epoch=${first.text('epoch')}&upper=x`;
      refused(await page(trader, path, query), 400, 'InvalidPagination');
    }
  }),
  check('GW-PAGES-10', 'account', async (probe) => {
    const trader = await probe.trader();
    for (const path of PATHS)
      for (const limit of [0, 1_001, 'x', -1])
        refused(await page(trader, path, `limit=${limit}`), 400, 'InvalidPagination');
  }),
  check('GW-PAGES-11', 'account', async (probe) => {
    const trader = await probe.trader();
    for (const path of PATHS) {
      const first = answered(await page(trader, path, 'limit=1'));
      const query = `after=1-0-0&epoch=another&upper=${first.text('upper')}`;
      refused(await page(trader, path, query), 409, 'history_epoch_mismatch');
      refused(await page(trader, path, 'epoch=another'), 409, 'history_epoch_mismatch');
    }
  }),
  check('GW-PAGES-12', 'account', async (probe) => {
    const trader = await probe.trader();
    for (const path of PATHS) {
      const first = answered(await page(trader, path, 'limit=1'));
      const upper = `${BigInt(first.text('upper').split('-')[0] ?? 0) + 1_000_000n}-65535-4294967295`;
      const query = `after=1-0-0&epoch=${first.text('epoch')}&upper=${upper}`;
      const answer = refused(await page(trader, path, query), 400, 'HistoryNotComplete');
      matches('the message', answer.at('error.message'), /not yet complete/);
    }
  }),
  check('GW-PAGES-13', 'control', async (probe) => {
    const trader = await probe.trader();
    await probe.harness.run('durability-lag', { lag: 60_000 });
    const item = await rest(probe, trader, {}, { query: '?ack=sequenced' }).catch(() => undefined);
    same('an outcome', item, undefined);
    const first = answered(await page(trader, '/v1/account/ledger', 'limit=1'));
    const late = `after=1-0-0&epoch=${first.text('epoch')}&upper=`;
    const seq = BigInt(first.text('upper').split('-')[0] ?? 0) + 1n;
    const query = `${late}${seq}-65535-4294967295`;
    refused(await page(trader, '/v1/account/ledger', query), 400, 'HistoryNotComplete');
    await probe.harness.run('durability-lag', { lag: 0 });
    answered(await page(trader, '/v1/account/ledger', query));
  }),
  check('GW-PAGES-14', 'control', async (probe) => {
    const trader = await busy(probe);
    await probe.harness.run('history-gaps', { gaps: [{ first: 1, last: 1_000_000 }] });
    for (const path of PATHS) {
      const answer = refused(await page(trader, path), 503, 'history_unavailable');
      same('details.status', answer.at('error.details.status'), 'history_unavailable');
      same('gaps', answer.at('error.details.gaps.0.first'), 1);
    }
  }),
  check('GW-PAGES-15', 'control', async (probe) => {
    const trader = await busy(probe);
    const first = answered(await page(trader, '/v1/account/fills', 'limit=2'));
    await probe.harness.run('history-gaps', { gaps: [{ first: 1, last: 1 }] });
    answered(await page(trader, '/v1/account/fills', `after=${first.text('next')}&${boundsOf(first)}`));
  }),
  check('GW-PAGES-16', 'control', async (probe) => {
    const trader = await busy(probe);
    const first = answered(await page(trader, '/v1/account/fills', 'limit=1'));
    await probe.harness.run('epoch');
    const query = `after=${first.text('next')}&${boundsOf(first)}`;
    refused(await page(trader, '/v1/account/fills', query), 409, 'history_epoch_mismatch');
    const fresh = answered(await page(trader, '/v1/account/fills'));
    holds('another epoch', fresh.at('epoch') !== first.at('epoch'), fresh.value);
  }),
  check('GW-PAGES-17', 'control', async (probe) => {
    const trader = await probe.trader();
    const first = answered(await page(trader, '/v1/account/fills'));
    same('an empty history', [first.at('data'), first.at('next'), first.at('hasMore')], [[], null, false]);
  }),
  check('GW-PAGES-18', 'control', async (probe) => {
    const [trader, stranger] = [await busy(probe), await probe.trader()];
    same('the fills of a stranger', idsOf(answered(await page(stranger, '/v1/account/fills'))), []);
    // Where others trade too, a purchase may have met one of them at a better price first: that is a fill more.
    const own = idsOf(answered(await page(trader, '/v1/account/fills')));
    holds('his own', own.length >= 3, own);
  }),
  check('GW-PAGES-19', 'account', async (probe) => {
    const trader = await probe.trader();
    await rest(probe, trader);
    const first = answered(await page(trader, '/v1/events', 'limit=1'));
    const found = first.part('data.0');
    for (const name of ['id', 'seq', 'sub', 'idx', 'kind', 'ts', 'data'])
      holds(`a field ${name} of an event`, found.at(name) !== undefined, found.value);
    same('the id', found.at('id'), `${found.text('seq')}-${found.text('sub')}-${found.text('idx')}`);
  }),
  check('GW-PAGES-20', 'control', async (probe) => {
    const trader = await probe.trader();
    const first = answered(await page(trader, '/v1/events', 'limit=1'));
    const upper = first.text('upper');
    const after = `${BigInt(upper.split('-')[0] ?? 0)}-65535-4294967295`;
    const item = await rest(probe, trader);
    const now = answered(await page(trader, '/v1/events', 'limit=1'));
    const later = answered(await page(trader, '/v1/events', `after=${after}&${boundsOf(now)}`));
    const kinds = later.list('data').map((event) => [event.at('kind'), event.at('data.orderId')]);
    const told = kinds.filter(([kind]) => kind === 'OrderAccepted');
    same('the acceptance', told, [['OrderAccepted', item.at('orderId')]]);
  }),
];
