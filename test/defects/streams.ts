/** @module Wrong exchanges: subscriptions, channels, lag. */
import type { Defect } from './defect.ts';

const PUBLISHER = 'src/exchange/api/stream/publisher.ts';
const SUBSCRIPTION = 'src/exchange/api/stream/subscription.ts';
const FRAMES = 'src/exchange/api/stream/event-frames.ts';

/** See the module. */
export const DEFECTS: readonly Defect[] = [
  {
    id: 'deep-channel',
    check: 'GW-WS-10',
    what: 'takes any depth of the book channel',
    file: SUBSCRIPTION,
    find: 'numberFrom(1, BOOK_DEPTH_MAX)',
    replace: 'numberFrom(1, 10_000)',
  },
  {
    id: 'shallow-by-default',
    check: 'GW-CHANNEL-4',
    what: 'tells ten levels of a book unless told otherwise',
    file: SUBSCRIPTION,
    find: 'depth = BOOK_DEPTH_DEFAULT,',
    replace: 'depth = 10,',
  },
  {
    id: 'one-subscription-too-many',
    check: 'GW-WS-18',
    what: 'takes 201 subscriptions on a connection',
    file: PUBLISHER,
    find: 'connection.subscriptions.size >= this.#settings.subscriptionsMax',
    replace: 'connection.subscriptions.size > this.#settings.subscriptionsMax',
  },
  {
    id: 'silent-clients-kept',
    check: 'GW-WS-20',
    what: 'never closes a silent connection',
    file: PUBLISHER,
    find: 'connection.idleMs() >= this.#settings.idleCloseMs',
    replace: 'connection.idleMs() >= 100 * this.#settings.idleCloseMs',
  },
  {
    id: 'server-pings-count',
    check: 'GW-WS-21',
    what: 'closes a connection however often it pings',
    file: PUBLISHER,
    find: '    connection.heard();\n    const frame = readClientFrame(text);',
    replace: '    const frame = readClientFrame(text);',
  },
  {
    id: 'no-first-snapshot',
    check: 'GW-CHANNEL-1',
    what: 'begins channels of states without a snapshot',
    file: PUBLISHER,
    find: 'if (block !== undefined) connection.offer(block.snapshot());',
    replace: '',
  },
  {
    id: 'unsubscribed-in-words',
    check: 'GW-WS-4',
    what: 'goes on telling what was unsubscribed',
    file: PUBLISHER,
    find: '      this.#leave(connection, read.key);\n      connection.offer(',
    replace: '      connection.offer(',
  },
  {
    id: 'no-snapshot-after-lag',
    check: 'GW-LAGGED-2',
    what: 'sends no snapshots behind lagged',
    file: PUBLISHER,
    find: 'for (const subscription of connection.subscriptions.values()) {',
    replace: 'for (const subscription of [...connection.subscriptions.values()].slice(0, 0)) {',
  },
  {
    id: 'bound-below-what-was-dropped',
    check: 'GW-LAGGED-3',
    what: 'tells a bound that leaves dropped fills out',
    file: PUBLISHER,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    find: 'const upper = `${upperSeq}-65535-4294967295`;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    replace: 'const upper = `${upperSeq - 2}-65535-4294967295`;',
  },
  {
    id: 'dropped-not-counted',
    check: 'GW-LAGGED-6',
    what: 'says that nothing was dropped',
    file: 'src/exchange/api/stream/subscriber-connection.ts',
    find: 'const dropped = this.#dropped;',
    replace: 'const dropped = 0;',
  },
  {
    id: 'event-as-snapshot',
    check: 'GW-CHANNEL-13',
    what: 'calls order events snapshots',
    file: FRAMES,
    find: '"isSnapshot":false',
    replace: '"isSnapshot":true',
  },
  {
    id: 'taker-not-told',
    check: 'GW-CHANNEL-16',
    what: 'tells fills to makers alone',
    file: FRAMES,
    find: "for (const role of ['taker', 'maker'] as const) {",
    replace: "for (const role of ['maker'] as const) {",
  },
  {
    id: 'closed-position-not-told',
    check: 'GW-CHANNEL-18',
    what: 'does not tell that a position was closed',
    file: 'src/exchange/api/stream/block-topics.ts',
    find: 'const now = [...read(), ...closed];',
    replace: 'const now = [...read(), ...closed.slice(0, 0)];',
  },
  {
    id: 'best-ask-as-bid',
    check: 'GW-CHANNEL-6',
    what: 'tells no best bid',
    file: 'src/exchange/api/json/market-json.ts',
    find: 'bid: bid ?? null,',
    replace: 'bid: ask ?? null,',
  },
];
