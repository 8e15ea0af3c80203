import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/core/index.ts';
import { FrameFaults } from '../../../../src/exchange/api/stream/frame-faults.ts';
import { SubscriberConnection } from '../../../../src/exchange/api/stream/subscriber-connection.ts';

function setUp(queuedFramesMax = 3) {
  const clock = new VirtualClock(0);
  const sent: string[] = [];
  const peer = { isReady: true };
  const connection = new SubscriberConnection({
    ip: '1.1.1.1',
    clock,
    queuedFramesMax,
    faults: new FrameFaults(),
    sink: {
      send: (text) => sent.push(text),
      isReady: () => peer.isReady,
      close: (code) => sent.push(`close ${code}`),
    },
    owner: {
      onReadsAgain: () => undefined,
      onCaughtUp: (who, dropped) => who.offer(`lagged ${dropped}`),
    },
  });
  return { clock, connection, sent, peer };
}

describe('SubscriberConnection', () => {
  test('sends at once while the peer reads', () => {
    const { connection, sent } = setUp();
    connection.offer('a');
    connection.offer('b');
    expect(sent).toEqual(['a', 'b']);
  });

  test('keeps the order when a peer becomes slow and fast again', () => {
    const { connection, sent, peer } = setUp();
    peer.isReady = false;
    connection.offer('a');
    connection.offer('b');
    peer.isReady = true;
    connection.offer('c');
    expect(sent).toEqual([]);
    connection.flush();
    expect(sent).toEqual(['a', 'b', 'c']);
  });

  test('drops all that waits when the queue overflows, counts it, and tells it once (GW-WS-LAGGED)', () => {
    const { connection, sent, peer } = setUp(3);
    peer.isReady = false;
    for (const text of ['a', 'b', 'c', 'd', 'e']) connection.offer(text);
    connection.flush();
    expect(sent).toEqual([]);
    peer.isReady = true;
    connection.flush();
    connection.flush();
    connection.offer('f');
    expect(sent).toEqual(['lagged 5', 'f']);
  });

  test('held, it drops in silence until released', () => {
    const { connection, sent } = setUp();
    connection.hold();
    connection.offer('a');
    connection.flush();
    connection.release(2);
    connection.offer('b');
    expect(sent).toEqual(['lagged 3', 'b']);
  });

  test('sends nothing after it was closed, and closes once', () => {
    const { connection, sent } = setUp();
    connection.close(1001, 'idle');
    connection.close(1001, 'idle');
    connection.offer('a');
    expect(sent).toEqual(['close 1001']);
  });

  test('counts the silence of the client alone', () => {
    const { connection, clock } = setUp();
    clock.advance(500);
    connection.offer('a');
    expect(connection.idleMs()).toBe(500);
    connection.heard();
    expect(connection.idleMs()).toBe(0);
  });
});
