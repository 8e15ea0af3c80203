/**
 * @module The page at `/`: what this exchange serves, for a reader who has only its address. One HTML text without
 * scripts and without anything from elsewhere, light or dark as the reader's system is.
 */

import { formatScaled } from '../../core/index.ts';
import { CHANNELS, ENDPOINTS, type Endpoint } from '../../wire/protocol/index.ts';
import { CONTROL_ACTION_GROUPS } from '../control/index.ts';
import { defaultQuirks, QUIRK_IDS, QUIRKS, type QuirkId } from '../state/index.ts';
import type { ControlApi } from './control-api.ts';
import { PAGE_STYLE } from './page-style.ts';

/** Parameters of each channel, and what it sends (openapi.yaml). */
const CHANNEL_NOTES: Readonly<Record<string, readonly [string, string]>> = {
  prices: ['none', 'all markets first, then those that changed, once per block'],
  book: ['symbol, depth (1 to 100)', 'the book to this depth, once per block'],
  bbo: ['symbol', 'best bid and ask, once per block'],
  trades: ['symbol', 'each trade'],
  candles: ['symbol, interval', 'the current bar; each frame replaces it'],
  funding: ['symbol', 'each settlement'],
  orders: ['an account', 'open orders first, then each order event'],
  fills: ['an account', 'each fill; data.id is the cursor of the history'],
  positions: ['an account', 'positions first, then those that changed, once per block'],
  account: ['an account', 'the account, once per block'],
  ledger: ['an account', 'each entry; data.id is the cursor of the history'],
  events: ['none, or symbol, address', 'raw events of the log'],
};

/** Where the page is served from. */
export interface PageAddress {
  /** URL of the HTTP interface. */
  readonly baseUrl: string;
  /** URL of the stream. */
  readonly wsUrl: string;
}

/** The page. */
export function renderPage(api: ControlApi, { baseUrl, wsUrl }: PageAddress): string {
  const { exchange } = api;
  const body = [
    `<h1>ballast exchange</h1>`,
    `<p>An embedded exchange for perpetual futures: real requests, checked signatures, matching, margin and funding. Nothing here has any value anywhere else.</p>`,
    table('', [
      ['REST', code(baseUrl)],
      ['Stream', code(wsUrl)],
      [
        'Control',
        `<a href="/control">${code('/control')}</a>, <a href="/control/state">${code('/control/state')}</a>`,
      ],
      ['Clock', `${api.controlledClock?.mode ?? 'fixed'}, ${new Date(api.clock.nowMs()).toISOString()}`],
      ['Ledger', `epoch ${code(exchange.epoch)}, seq ${exchange.seq}`],
    ]),
    section('Markets', markets(api)),
    section('Accounts', accounts(api)),
    section('Endpoints', endpoints(api, baseUrl)),
    section('Stream', channels(api, wsUrl)),
    section('Control', control(baseUrl)),
    section('Open questions', quirks(api)),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ballast exchange</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
${body.join('\n')}
</main>
</body>
</html>
`;
}

function markets(api: ControlApi): string {
  const rows = api.exchange.control.venue.markets().map(({ market, indexTicks, markTicks }) => {
    const price = (ticks: number): string => formatScaled(ticks, market.priceDecimals);
    return [
      code(market.symbol),
      text(market.status),
      price(indexTicks),
      price(markTicks),
      price(market.tickStep),
      formatScaled(market.lotStep, market.sizeDecimals),
      String(market.signingMarketId),
    ];
  });
  return table('Symbol|Status|Index|Mark|Tick|Lot|signingMarketId', rows);
}

/** Accounts on a page at most; the control API lists all. */
const ACCOUNTS_SHOWN_MAX = 50;

function accounts({ accounts: all }: ControlApi): string {
  if (all.length === 0) return `<p>None. ${code('POST /control/account')} makes one.</p>`;
  const rows = all
    .slice(0, ACCOUNTS_SHOWN_MAX)
    .flatMap(({ name, address, privateKey, accountId, apiWallets }) => [
      [text(name), 'main', code(address), code(privateKey), String(accountId)],
      ...apiWallets.map((wallet) => ['', 'API', code(wallet.address), code(wallet.privateKey), '']),
    ]);
  const more =
    all.length > ACCOUNTS_SHOWN_MAX
      ? `<p>${all.length - ACCOUNTS_SHOWN_MAX} more: ${code('/control/state')}.</p>`
      : '';
  return `<p>Ephemeral keys of this exchange, from its seed. Never send anything to these addresses.</p>${table('Name|Wallet|Address|Private key|Id', rows)}${more}`;
}

function endpoints({ accounts: [first] }: ControlApi, baseUrl: string): string {
  const selection = first === undefined ? '' : `?address=${first.address}`;
  const linkOf = (path: string): string =>
    text(baseUrl + path + (path.startsWith('/v1/account') ? selection : ''));
  const rows = (ENDPOINTS as readonly Endpoint[]).map(({ id, method, path, weight }) => [
    method,
    method === 'GET' && !path.includes('{') && id !== 'ws'
      ? `<a href="${linkOf(path)}">${code(path)}</a>`
      : code(path),
    String(weight),
  ]);
  return `<p>Every path, field and error is described in ${code('openapi.yaml')}. A POST is signed: its signature is over a struct, never over the JSON.</p>${table('Method|Path|Weight', rows)}`;
}

function channels({ exchange }: ControlApi, wsUrl: string): string {
  const symbol = exchange.control.venue.markets()[0]?.market.symbol ?? '';
  const frame = JSON.stringify({ method: 'subscribe', params: { channel: 'book', symbol }, id: 1 });
  const rows = CHANNELS.map((channel) => {
    const [parameters = '', sends = ''] = CHANNEL_NOTES[channel] ?? [];
    return [code(channel), text(parameters), text(sends)];
  });
  return [
    `<p>Connect to ${code(wsUrl)} and send one text frame for each channel; send ${code('{"method":"ping"}')} every 20 s.</p>`,
    `<pre>${text(frame)}</pre>`,
    `<p>An account is ${code('address')} with ${code('subaccount')} (0 is the main account), or only ${code('vault')}.</p>`,
    table('Channel|Parameters|Sends', rows),
  ].join('\n');
}

function control(baseUrl: string): string {
  const origin = new URL(baseUrl).origin;
  const example = `curl -s -X POST ${origin}/control/price -d '{"symbol": "BTC-USD", "price": "98000"}'`;
  const groups = Object.entries(CONTROL_ACTION_GROUPS).map(
    ([title, actions]) =>
      `<h3>${text(title)}</h3>${table(
        'Action|Does|Parameters',
        actions.map(({ name, description, parameters }) => [
          code(name),
          text(description.replaceAll('`', '')),
          Object.keys(parameters).map(code).join(' '),
        ]),
      )}`,
  );
  return `<p>What a chain, an operator or a broken network would do. It answers this machine only.</p><pre>${text(example)}</pre>${groups.join('\n')}`;
}

function quirks(api: ControlApi): string {
  const presets = defaultQuirks();
  const { quirks: now } = api.exchange.control;
  const rows = QUIRK_IDS.map((id: QuirkId) => [
    id,
    text(QUIRKS[id].about),
    now[id] === presets[id] ? code(now[id]) : `<strong>${code(now[id])}</strong>`,
    QUIRKS[id].values.map(code).join(' '),
  ]);
  return `<p>What the interface document leaves open, and how it is answered here. Answers other than the defaults are bold.</p>${table('Id|Question|Answer|Possible answers', rows)}`;
}

function section(title: string, content: string): string {
  return `<section>\n<h2>${text(title)}</h2>\n${content}\n</section>`;
}

/** A table; head cells are separated by bars, none: rows with their own head cell. */
function table(head: string, rows: readonly (readonly string[])[]): string {
  const top =
    head === ''
      ? ''
      : `<thead><tr>${head
          .split('|')
          .map((cell) => `<th scope="col">${text(cell)}</th>`)
          .join('')}</tr></thead>`;
  const lines = rows.map((cells) => {
    const [first = '', ...rest] = cells;
    const lead = head === '' ? `<th scope="row">${first}</th>` : `<td>${first}</td>`;
    return `<tr>${lead}${rest.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<div class="wide"><table>${top}<tbody>\n${lines.join('\n')}\n</tbody></table></div>`;
}

function code(content: string): string {
  return `<code>${text(content)}</code>`;
}

function text(content: string): string {
  return content.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
