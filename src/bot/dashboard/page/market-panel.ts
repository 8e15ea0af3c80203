/** @module One market: its charts, its book with own orders, its position, and why a side has no quotes. */
import type { BookRow, BookView } from '../view.ts';
import type { Tree } from './browser.ts';
import { holderOf } from './charts.ts';
import { type ExplainCalls, explainButton } from './explanation.ts';
import { html } from './html.ts';
import type { PageState } from './store.ts';
import { digitWords, lengthWords, signedWords, toneOf } from './words.ts';

/** What a person asks for. */
export interface MarketCalls {
  choose(symbol: string): void;
  span(windowMs: number): void;
}

const SPANS = [
  [300_000, '5 min'],
  [900_000, '15 min'],
  [3_600_000, '1 h'],
] as const;

type Status = NonNullable<NonNullable<PageState['message']>['view']>['status'];
type Market = Status['markets'][number];

/** The market that is shown. */
export function marketPanel(state: PageState, calls: MarketCalls): Tree {
  const view = state.message?.view;
  const markets = view?.status.markets ?? [];
  const market = markets.find(({ symbol }) => symbol === state.market) ?? markets[0];
  if (view === undefined || market === undefined)
    return html`<section class="panel wide"><h2>Market</h2><p class="soft">No market is known yet.</p></section>`;
  const { symbol, position, averagePrice, mark, unrealized, isFresh, inEffect, orders } = market;
  const book = view.books.find((one) => one.symbol === symbol);
  return html`
    <section class="panel wide" key="charts">
      <div class="row">
        <h2>${symbol}</h2>
        ${
          markets.length > 1 &&
          html`<select id="market" aria-label="market" onChange=${(event: { readonly currentTarget: { readonly value: string } }) => calls.choose(event.currentTarget.value)}>
            ${markets.map((one) => html`<option key=${one.symbol} value=${one.symbol} selected=${one.symbol === symbol}>${one.symbol}</option>`)}
          </select>`
        }
        <div class="spans" role="group" aria-label="length of time shown">
          ${SPANS.map(
            ([ms, name]) =>
              html`<button type="button" key=${name} aria-pressed=${state.windowMs === ms} onClick=${() => calls.span(ms)}>${name}</button>`,
          )}
        </div>
      </div>
      <p class="keys"><span><i class="key mid"></i>mid</span><span><i class="key bid"></i>own bid, ▲ bought</span><span><i class="key ask"></i>own ask, ▼ sold</span><span>filled: as maker, outline: as taker; own quotes since this page is open</span></p>
      <div class="charts" key=${symbol} ref=${holderOf(state, symbol)}></div>
      <dl class="facts">
        <div><dt>Position</dt><dd>${digitWords(position)}</dd></div>
        <div><dt>Entry price</dt><dd>${digitWords(averagePrice)}</dd></div>
        <div><dt>Mark price</dt><dd>${digitWords(mark)}</dd></div>
        <div><dt>Unrealized</dt><dd class=${toneOf(unrealized)}>${signedWords(unrealized)}</dd></div>
        <div><dt>Data</dt><dd class=${isFresh ? '' : 'bad'}>${isFresh ? 'fresh' : 'stale'}</dd></div>
        <div><dt>Trading here</dt><dd class=${inEffect === 'active' ? '' : 'bad'}>${inEffect}</dd></div>
      </dl>
      ${orders.flatMap((order) => waitingLine(order))}
    </section>
    ${bookPanel(symbol, book)}`;
}

/** An order outside the book, and what it waits for; none of one in the book. */
function waitingLine({
  orderId,
  side,
  remaining,
  price,
  waitsFor,
}: Market['orders'][number]): readonly Tree[] {
  return waitsFor === undefined
    ? []
    : [
        html`<p key=${orderId} class="soft">Waits: ${side} ${digitWords(remaining)} at ${digitWords(price)}, ${waitsFor}</p>`,
      ];
}

function bookPanel(symbol: string, book: BookView | undefined): Tree {
  const isEmpty = book === undefined || (book.bids.length === 0 && book.asks.length === 0);
  return html`<section class="panel" key="book">
    <h2>Book of ${symbol}</h2>
    ${
      isEmpty
        ? html`<p class="soft">No level is known.</p>`
        : html`<div class="scroll"><table class="book">
          <thead><tr><th>Price</th><th>Size</th><th>Of it ours</th><th title="Size in front of our first order at this price; known where a fill model counts it">Ahead of us</th></tr></thead>
          <tbody>
            ${[...book.asks].reverse().map((row) => bookRow('ask', row))}
            <tr class="gap"><td colspan="4">${spreadWords(book)}</td></tr>
            ${book.bids.map((row) => bookRow('bid', row))}
          </tbody></table></div>
          <p class="soft">Best 10 prices of each side, and own orders beyond them. "Ahead of us" is known in paper runs alone: a gateway tells no place in the queue.</p>`
    }
  </section>`;
}

function bookRow(side: 'bid' | 'ask', { price, size, own, ahead }: BookRow): Tree {
  return html`<tr key=${`${side} ${price}`} class=${`${side}${own === undefined ? '' : ' own'}`}>
    <td>${digitWords(price)}</td><td>${size === undefined ? '–' : digitWords(size)}</td>
    <td>${own === undefined ? '' : digitWords(own)}</td><td>${own === undefined ? '' : digitWords(ahead)}</td></tr>`;
}

function spreadWords({ bids, asks }: BookView): string {
  const [bid, ask] = [Number(bids[0]?.price), Number(asks[0]?.price)];
  if (!(bid > 0 && ask > 0)) return 'one side is empty';
  const mid = (bid + ask) / 2;
  return `mid ${mid.toLocaleString('en-US', { maximumSignificantDigits: 9 })}, spread ${(((ask - bid) / mid) * 1e4).toFixed(2)} bps`;
}

/** Why there are no quotes, per market and side. */
export function quotePanel({ message }: PageState, calls: ExplainCalls): Tree {
  const markets = message?.view?.status.markets ?? [];
  const rows = markets.flatMap((market) => quoteRows(market, message?.atMs ?? 0, calls));
  return html`<section class="panel" key="quotes">
    <h2>Quotes, and why there are none</h2>
    ${
      rows.length === 0
        ? html`<p class="soft">No strategy quotes, and none has said why.</p>`
        : html`<div class="scroll"><table class="words-table">
          <thead><tr><th>Market</th><th>Strategy</th><th>Bid</th><th>Ask</th></tr></thead>
          <tbody>${rows}</tbody></table></div>`
    }
  </section>`;
}

function quoteRows(
  { symbol, orders, noQuoteReasons }: Market,
  atMs: number,
  calls: ExplainCalls,
): readonly Tree[] {
  const owners = new Set([
    ...orders.map(({ strategy }) => strategy ?? 'nobody'),
    ...noQuoteReasons.map(({ strategy }) => strategy),
  ]);
  return [...owners].map((owner) => {
    const side = (name: 'bid' | 'ask'): Tree => {
      const traded = name === 'bid' ? 'buy' : 'sell';
      const own = orders.filter(
        (order) =>
          order.side === traded && order.waitsFor === undefined && (order.strategy ?? 'nobody') === owner,
      );
      const { length: count } = own;
      if (count > 0)
        return html`<span class="good">${count} ${count === 1 ? 'order' : 'orders'}</span>
          <small>${own.map(({ orderId, price }) => html`<div key=${orderId}>${digitWords(price)} ${explainButton(`order ${orderId}`, calls)}</div>`)}</small>`;
      const why = noQuoteReasons.find((one) => one.strategy === owner && one.side === name);
      if (why === undefined) return html`<span class="soft">none</span>`;
      return html`<span class="bad">none for ${lengthWords(why.durationMs)}</span><small>${why.code}: ${why.reason} ${explainButton(`gap ${symbol} ${name} ${new Date(atMs).toISOString()}`, calls)}</small>`;
    };
    return html`<tr key=${`${symbol} ${owner}`}><td>${symbol}</td><td>${owner}</td><td>${side('bid')}</td><td>${side('ask')}</td></tr>`;
  });
}
