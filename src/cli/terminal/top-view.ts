/** @module The figures of the dashboard as lines of a terminal: what matters most first, so that 80x24 have it. */
import type { FeedMessage } from '../../bot/operator/index.ts';
import { printableLine } from '../../core/index.ts';

type View = NonNullable<FeedMessage['view']>;
type Status = View['status'];

/** How much room there is. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** The lines of a view, as many as there is room for. `silentMs`: for how long the run has not answered. */
export function topLines(
  message: FeedMessage,
  { columns, rows }: Room,
  silentMs?: number,
): readonly string[] {
  const { run, view, atMs } = message;
  const state = view === undefined ? 'starting' : stateWords(view.status);
  const head = spread(
    `${run.name}  ${state}`,
    `${run.mode} on ${run.environment}  ${clock(atMs)} UTC`,
    columns,
  );
  const silence =
    silentMs === undefined
      ? []
      : [`! no answer for ${Math.round(silentMs / 1000)} s: what follows is older; trying again`];
  const foot = `run ${run.runId}  q ends this view, not the run`;
  const body =
    view === undefined
      ? ['', 'the run starts', ...newest(message.lines, rows)]
      : bodyOf(view, message, rows - silence.length - 2);
  const lines = [head, ...silence, ...body];
  return [...lines.slice(0, Math.max(1, rows - 1)), foot].map(printableLine);
}

function bodyOf(view: View, message: FeedMessage, rows: number): readonly string[] {
  const { status, profit, lanes, risk } = view;
  const orders = status.markets.reduce((sum, market) => sum + market.orders.length, 0);
  const fills = status.strategies.reduce((sum, one) => sum + one.fills, 0);
  const failing = status.health.items.filter(({ isHealthy }) => !isHealthy);
  const lines = [
    profit === undefined
      ? `profit ${signed(status.pnl.total)}`
      : `profit ${signed(profit.total)} = spread ${signed(profit.spread)}, fees ${signed(`${-Number(profit.fees)}`)}, funding ${signed(profit.funding)}, inventory ${signed(profit.inventory)}`,
    `equity ${money(status.equity)}  open orders ${orders}  fills ${fills}  denied ${status.denials}  unresolved writes ${status.unresolved}`,
    `switch ${switchWords(status.switch)}  health ${failing.length === 0 ? 'ok' : failing.map(({ id, reason }) => `${id}: ${reason}`).join('; ')}`,
    ...(lanes.length === 0
      ? []
      : [
          `lanes  ${lanes.map(({ lane, state, haltCode }) => `${lane} ${state}${haltCode === undefined ? '' : ` (${haltCode})`}`).join(', ')}`,
        ]),
    ...status.halts.map(({ scope, control, reason }) => `! HALTED ${scope} by ${control}: ${reason}`),
    ...status.reasons.map((reason) => `! not trading: ${reason}`),
    '',
    ...tableOf(
      ['MARKET', 'POSITION', 'MARK', 'OWN BID', 'BID', 'ASK', 'OWN ASK', 'UNREALIZED'],
      status.markets.map((market) => marketRow(market, view)),
    ),
    ...status.markets.flatMap(({ symbol, noQuoteReasons }) =>
      noQuoteReasons.map(
        ({ strategy, side, code, reason, durationMs }) =>
          `! ${symbol} ${strategy} without ${side} for ${Math.round(durationMs / 1000)} s: ${code}, ${reason}`,
      ),
    ),
    '',
    ...tableOf(
      ['STRATEGY', 'STATE', 'TRADING', 'PROFIT', 'FILLS', 'AS MAKER'],
      status.strategies.map(({ id, state, inEffect, pnl, fills: count, makerFills }) => [
        ...[id, state, inEffect, signed(pnl.total), `${count}`],
        count === 0 ? '-' : `${Math.round((100 * makerFills) / count)} %`,
      ]),
    ),
    '',
  ];
  const most = risk.toSorted((a, b) => b.share - a.share).slice(0, 4);
  const limits = tableOf(
    ['LIMIT, MOST USED FIRST', 'USED', 'OF', ''],
    most.map(({ control, scope, what, used, limit, unit, share }) => [
      `${control} ${scope}: ${what}`,
      ...(unit === 'collateral' ? [money(used), money(limit)] : [used, limit]),
      `${Math.round(share * 100)} %`,
    ]),
  );
  const shown = limits.length === 0 ? lines : [...lines, ...limits, ''];
  const left = Math.max(0, rows - shown.length - 1);
  const last = status.fills.slice(0, Math.ceil(left / 2));
  return [
    ...shown,
    ...last.map(
      ({ atMs, side, size, symbol, price, role }) =>
        `${atMs === null ? '--:--:--' : clock(atMs)} ${side === 'buy' ? 'bought' : 'sold  '} ${size} ${symbol} at ${price} as ${role}`,
    ),
    ...newest(
      [...message.events, ...message.lines].toSorted((a, b) => a.atMs - b.atMs),
      left - last.length,
    ),
  ];
}

function marketRow(
  { symbol, position, mark = '-', bid = '-', ask = '-', unrealized }: Status['markets'][number],
  { books }: View,
): readonly string[] {
  const book = books.find((one) => one.symbol === symbol);
  const own = (rows: readonly { readonly price: string; readonly own?: string | undefined }[] = []) =>
    rows.find((row) => row.own !== undefined)?.price ?? '-';
  return [symbol, position, mark, own(book?.bids), bid, ask, own(book?.asks), signed(unrealized)];
}

/** The newest entries, oldest of them first. */
function newest(entries: FeedMessage['lines'], count: number): readonly string[] {
  return count <= 0
    ? []
    : entries
        .slice(-count)
        .map(
          ({ atMs, level, text, detail }) =>
            `${clock(atMs)} ${level === 'event' ? '' : `${level} `}${text} ${detail}`,
        );
}

function stateWords({ state, trading }: Status): string {
  return trading.state === 'active' ? state : `${state}, ${trading.state}: ${trading.reason}`;
}

function switchWords({ armedForMs, held }: Status['switch']): string {
  const left = armedForMs === undefined ? 'NOT ARMED' : `fires in ${Math.round(armedForMs / 1000)} s`;
  return held.length === 0 ? left : `${left}, not renewed: ${held.join(', ')}`;
}

/** Columns of equal width; the first to the left, the others to the right. Nothing for no rows. */
function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const all = [heads, ...rows];
  const widths = heads.map((_head, at) => Math.max(...all.map((row) => Array.from(row[at] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** `left` and `right` at the two ends of a line, or one after the other where there is no room. */
function spread(left: string, right: string, columns: number): string {
  const gap = columns - Array.from(left).length - Array.from(right).length;
  return gap < 2 ? `${left}  ${right}` : `${left}${' '.repeat(gap)}${right}`;
}

function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

function money(text: string | undefined): string {
  return text === undefined
    ? 'not known'
    : Number(text).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function signed(text: string): string {
  return Number(text) > 0 ? `+${money(text)}` : money(text);
}
