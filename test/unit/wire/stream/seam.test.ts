import { describe, expect, test } from 'vitest';
import { BUFFERED_MAX } from '../../../../src/wire/stream/account/resync-state.ts';
import {
  accountFrame,
  aFill,
  anAccount,
  anOrder,
  aPosition,
  aScene,
  EPOCH,
  page,
  type Scene,
  ScriptedHistory,
  ScriptedJournal,
  statesAt,
} from './scripted.ts';

const fill = (id: string, options: { epoch?: string; fields?: object } = {}) =>
  accountFrame('fills', Number(id.split('-')[0]), aFill(id, options.fields), options);
const lagged = (upper: string, epoch = EPOCH) => ({
  channel: 'lagged',
  data: { dropped: 3, epoch, upper },
});
const shownFills = (scene: Scene) => scene.of('FillRecorded').map(({ fill: { id } }) => id);
const isSynced = (scene: Scene) => scene.stream.state().account.isSynced;
const reason = (scene: Scene) => scene.stream.state().account.reason;

describe('before the account is synced', () => {
  test('says so with a reason from the first moment', () => {
    const scene = aScene();
    expect(isSynced(scene)).toBe(false);
    scene.stream.start();
    expect(scene.facts).toEqual([{ type: 'AccountDegraded', reason: 'not connected yet' }]);
  });

  test('shows what the journal holds, and asks from its cursor on (O97, O108)', async () => {
    const journal = new ScriptedJournal().seed(EPOCH, '5-0-0', '6-0-1');
    const scene = aScene({ journal });
    scene.history.fillsAnswer = ({ after }) => (after === undefined ? page([aFill('5-0-0')]) : page([]));
    await scene.sync();
    expect(shownFills(scene)).toEqual(['5-0-0', '6-0-1']);
    expect(scene.history.askedFills()).toEqual([
      // Where the log ends, then the bound of the walk.
      { limit: 1, minSeq: 10n },
      { limit: 1, minSeq: 10n },
      { after: '6-0-1', epoch: EPOCH, upper: '9999-65535-4294967295', limit: 1000 },
    ]);
    expect(journal.resets).toEqual([]);
    expect(scene.of('EpochChanged')).toEqual([]);
  });

  test('waits for all acknowledgements and for a snapshot behind the histories (O109)', async () => {
    const scene = aScene();
    scene.stream.start();
    scene.socket().open();
    for (const channel of ['orders', 'positions', 'account', 'fills']) {
      scene.socket().acknowledge(EPOCH, channel);
    }
    scene.socket().snapshots(10);
    await scene.advance(10);
    expect(scene.history.asked).toEqual([]);
    scene.socket().acknowledge();
    await scene.advance(10);
    expect(scene.history.asked).toEqual([]);
    await scene.advance(1_500);
    expect(scene.socket().countOf('account')).toBe(2);
    scene.socket().acknowledge(EPOCH, 'account');
    scene.socket().frame(accountFrame('account', 12, anAccount(), { isSnapshot: true }));
    await scene.advance(10);
    expect(scene.history.askedFills()[0]?.minSeq).toBe(12n);
    expect(isSynced(scene)).toBe(true);
  });

  test('asks for the first page again until its bound has reached the snapshot (O109, O110)', async () => {
    const scene = aScene({ journal: new ScriptedJournal().seed(EPOCH, '5-0-0') });
    // As text '9-…' is behind '10-…'; as numbers it is before.
    const uppers = ['9-65535-4294967295', '9-65535-4294967295', '10-65535-4294967295'];
    scene.history.fillsAnswer = ({ after }) =>
      after === undefined
        ? page([], { upper: uppers.shift() ?? '' })
        : page([], { upper: '10-65535-4294967295' });
    await scene.sync({ size: '0.0001' });
    expect(isSynced(scene)).toBe(false);
    await scene.advance(1_000);
    expect(isSynced(scene)).toBe(true);
    const asked = scene.history.askedFills();
    expect(asked.map(({ after, minSeq }) => [after, minSeq])).toEqual([
      [undefined, 10n],
      [undefined, 10n],
      [undefined, 10n],
      ['5-0-0', undefined],
    ]);
  });

  test('uses no state of a channel before its snapshot (O91)', async () => {
    const scene = aScene({ journal: new ScriptedJournal().seed(EPOCH) });
    scene.stream.start();
    scene.socket().open();
    scene.socket().acknowledge();
    scene.socket().frame(accountFrame('orders', 11, anOrder('7'), { isSnapshot: false }));
    expect(scene.of('OrderOpened')).toEqual([]);
  });

  test('asks again for snapshots that do not come, and leaves a connection that never sends them', async () => {
    const scene = aScene();
    scene.stream.start();
    scene.socket().open();
    scene.socket().acknowledge();
    await scene.advance(1_600);
    expect(scene.socket().countOf('orders')).toBe(2);
    for (let i = 0; i < 6; i++) {
      scene.sockets[0]?.acknowledge();
      scene.sockets[0]?.frame({ channel: 'pong', data: { ts: 1 } });
      await scene.advance(1_000);
    }
    expect(scene.sockets[0]?.isClosed).toBe(true);
    expect(scene.of('AccountDegraded').at(-1)?.reason).toMatch(/no snapshot of orders/);
  });
});

describe('while history is read', () => {
  /** A scene whose second fills page waits until the test lets it come. */
  function paused(journal = new ScriptedJournal().seed(EPOCH, '5-0-0')) {
    const history = new ScriptedHistory();
    let release: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const plain = history.fills.bind(history);
    history.fills = async (selection, query) => {
      const answer = await plain(selection, query);
      if (query.after !== undefined) await gate;
      return answer;
    };
    const scene = aScene({ history, journal });
    return { scene, release: () => release?.() };
  }

  test('keeps live fills and joins them by id, each once, in order (O102)', async () => {
    const { scene, release } = paused();
    scene.history.fillsAnswer = ({ after }) =>
      page(after === undefined ? [aFill('5-0-0')] : [aFill('8-0-0'), aFill('10-0-0'), aFill('12-0-0')]);
    await scene.sync();
    scene.socket().frame(fill('14-0-0'));
    scene.socket().frame(fill('12-0-0'));
    scene.socket().frame(fill('13-0-0'));
    scene.socket().frame(fill('14-0-0'));
    scene
      .socket()
      .frame(accountFrame('positions', 14, { positions: [aPosition('0.0006')] }, { isSnapshot: false }));
    expect(shownFills(scene)).toEqual(['5-0-0']);
    release();
    await scene.advance(1);
    expect(shownFills(scene)).toEqual(['5-0-0', '8-0-0', '10-0-0', '12-0-0', '13-0-0', '14-0-0']);
    expect(scene.journal.fills.map(({ id }) => id)).toEqual(shownFills(scene));
    expect(isSynced(scene)).toBe(true);
  });

  test('treats a full buffer as lagged: reads past what was missed (O104)', async () => {
    const { scene, release } = paused(new ScriptedJournal().seed(EPOCH, '5-0-0'));
    scene.history.fillsAnswer = ({ after, minSeq }) =>
      after === undefined
        ? page([aFill('5-0-0')], { upper: `${minSeq}-65535-4294967295` })
        : page([], { upper: '' });
    scene.history.fillsAnswer = ({ after, upper, minSeq }) =>
      page(after === undefined ? [aFill('5-0-0')] : [], { upper: upper ?? `${minSeq}-65535-4294967295` });
    await scene.sync();
    for (let i = 0; i < BUFFERED_MAX + 5; i++) scene.socket().frame(fill(`${20 + i}-0-0`));
    release();
    await scene.advance(5_000);
    const first = scene.history.askedFills().filter(({ after }) => after === undefined);
    expect(first.map(({ minSeq }) => minSeq)).toEqual([10n, 10n, BigInt(20 + BUFFERED_MAX + 4)]);
    expect(scene.counts.get('stream_buffer_overflows_total')).toBe(5);
  });

  test('gives a walk up whose connection went', async () => {
    const { scene, release } = paused();
    scene.history.fillsAnswer = ({ after }) =>
      page(after === undefined ? [aFill('5-0-0')] : [aFill('8-0-0')]);
    await scene.sync();
    scene.socket().close('cut');
    release();
    await scene.advance(1);
    expect(shownFills(scene)).toEqual(['5-0-0']);
    expect(scene.of('AccountSynced')).toEqual([]);
  });

  test('waits as long as the gateway asks it to', async () => {
    const scene = aScene({ journal: new ScriptedJournal().seed(EPOCH, '5-0-0') });
    let count = 0;
    scene.history.fillsAnswer = () => {
      count++;
      return count === 1 ? { kind: 'retry', why: 'over budget', afterMs: 5_000 } : page([]);
    };
    await scene.sync();
    await scene.advance(4_900);
    expect(count).toBe(1);
    await scene.advance(200);
    expect(count).toBe(4);
  });
});

describe('after lagged', () => {
  test('reads fills and ledger between the cursor and the bound it names (O99)', async () => {
    const journal = new ScriptedJournal().seed(EPOCH, '5-0-0');
    const scene = aScene({ journal });
    await scene.sync({ size: '0.0001' });
    scene.history.asked.length = 0;
    scene.history.fillsAnswer = ({ upper }) => page([aFill('30-0-0')], { upper: upper ?? '' });
    scene.socket().frame(lagged('40-65535-4294967295'));
    expect(isSynced(scene)).toBe(false);
    await scene.advance(1);
    expect(scene.history.askedFills()).toEqual([
      { after: '5-0-0', epoch: EPOCH, upper: '40-65535-4294967295', limit: 1000 },
    ]);
    expect(scene.history.asked.map(({ name }) => name)).toContain('ledger');
    expect(isSynced(scene)).toBe(false);
    scene.socket().snapshots(41, { size: '0.0002' });
    await scene.advance(1);
    expect(isSynced(scene)).toBe(true);
  });

  test('subscribes again to what sends no snapshot on its own (O103)', async () => {
    const scene = aScene();
    await scene.sync();
    scene.socket().frame(lagged('40-65535-4294967295'));
    scene.socket().frame(accountFrame('positions', 41, { positions: [] }, { isSnapshot: true }));
    scene.socket().frame(accountFrame('account', 41, anAccount(), { isSnapshot: true }));
    await scene.advance(1_600);
    expect([scene.socket().countOf('orders'), scene.socket().countOf('positions')]).toEqual([2, 1]);
    scene.socket().acknowledge(EPOCH, 'orders');
    scene.socket().frame(accountFrame('orders', 42, { orders: [anOrder('9')] }, { isSnapshot: true }));
    await scene.advance(1);
    expect(scene.of('OrdersReplaced').at(-1)?.orders).toHaveLength(1);
    expect(isSynced(scene)).toBe(true);
    expect(scene.sockets).toHaveLength(1);
  });

  test('walks again to the higher bound when it is lagged while it reads (O104)', async () => {
    const journal = new ScriptedJournal().seed(EPOCH, '5-0-0');
    const scene = aScene({ journal });
    await scene.sync({ size: '0.0001' });
    scene.history.asked.length = 0;
    scene.socket().frame(lagged('40-65535-4294967295'));
    scene.socket().frame(lagged('60-65535-4294967295'));
    scene.socket().frame(lagged('50-65535-4294967295'));
    scene.history.fillsAnswer = ({ upper }) => page([], { upper: upper ?? '60-65535-4294967295' });
    scene.socket().snapshots(61, { size: '0.0001' });
    await scene.advance(1);
    const resumed = scene.history.askedFills().filter(({ after }) => after !== undefined);
    expect(resumed.map(({ upper }) => upper)).toEqual(['40-65535-4294967295', '60-65535-4294967295']);
    expect(isSynced(scene)).toBe(true);
    // The fills of the next block may still be on their way, whatever other channels have shown of it.
    expect(scene.of('AccountSynced').at(-1)).toMatchObject({ seq: 61n, bookedSeq: 60n });
  });

  test('reconnects when the bound is of another epoch (O96, O104)', async () => {
    const scene = aScene();
    await scene.sync();
    scene.socket().frame(lagged('40-65535-4294967295', 'k9'));
    expect(scene.sockets[0]?.isClosed).toBe(true);
  });
});

describe('another epoch', () => {
  test('in the acknowledgements voids everything, once the history confirms it (O96, O107)', async () => {
    const journal = new ScriptedJournal().seed(EPOCH, '5-0-0');
    const scene = aScene({ journal });
    scene.history.fillsAnswer = () => page([], { epoch: 'k2' });
    scene.history.ledgerAnswer = () => page([], { epoch: 'k2' });
    scene.stream.start();
    scene.socket().open();
    scene.socket().acknowledge('k2');
    scene.socket().snapshots(3, { epoch: 'k2' });
    expect(scene.of('OrdersReplaced')).toEqual([]);
    await scene.advance(1);
    const types = scene.facts.map(({ type }) => type);
    expect(types.indexOf('EpochChanged')).toBeGreaterThan(0);
    expect(types.indexOf('OrdersReplaced')).toBeGreaterThan(types.indexOf('EpochChanged'));
    expect(journal.resets).toEqual(['k2']);
    expect(scene.stream.epoch()).toBe('k2');
    expect(isSynced(scene)).toBe(true);
  });

  test('in one acknowledgement alone voids nothing', async () => {
    const journal = new ScriptedJournal().seed(EPOCH, '5-0-0');
    const scene = aScene({ journal });
    scene.stream.start();
    scene.socket().open();
    scene.socket().acknowledge('k2', 'fills');
    scene.socket().acknowledge(EPOCH, 'ledger');
    expect(scene.sockets[0]?.isClosed).toBe(true);
    expect(journal.resets).toEqual([]);
    expect(scene.of('EpochChanged')).toEqual([]);
  });

  test('that the history does not know voids nothing either', async () => {
    const journal = new ScriptedJournal().seed(EPOCH, '5-0-0');
    const scene = aScene({ journal });
    scene.stream.start();
    scene.socket().open();
    scene.socket().acknowledge('k2');
    scene.socket().snapshots(3, { epoch: 'k2' });
    await scene.advance(1);
    expect(scene.sockets[0]?.isClosed).toBe(true);
    expect(journal.resets).toEqual([]);
  });

  test('in a frame ends the connection before the frame is used (O96)', async () => {
    const scene = aScene();
    await scene.sync();
    scene.socket().frame(fill('12-0-0', { epoch: 'k2' }));
    expect(scene.sockets[0]?.isClosed).toBe(true);
    expect(shownFills(scene)).toEqual([]);
  });

  test('in the history leads to a new connection (O107)', async () => {
    const scene = aScene({ journal: new ScriptedJournal().seed(EPOCH, '5-0-0') });
    scene.history.fillsAnswer = ({ after }) =>
      after === undefined ? page([aFill('5-0-0')]) : { kind: 'epochChanged' };
    await scene.sync();
    expect(scene.sockets[0]?.isClosed).toBe(true);
    expect(reason(scene)).toMatch(/history is of another epoch/);
  });
});

describe('frames of the account', () => {
  test('of another account are passed by', async () => {
    const scene = aScene();
    await scene.sync();
    const foreign = { ...fill('12-0-0'), address: `0x${'cd'.repeat(20)}` };
    scene.socket().frame(foreign);
    scene.socket().frame({ ...fill('12-0-0'), subaccount: 1 });
    expect(shownFills(scene)).toEqual([]);
    expect(scene.counts.get('stream_other_account_frames_total')).toBe(2);
  });

  test('with a far jump of positions are no loss (O95)', async () => {
    const scene = aScene();
    await scene.sync();
    scene.history.body = statesAt(5_000_001);
    scene.socket().frame(accountFrame('account', 5_000_000, anAccount(), { isSnapshot: false }));
    await scene.advance(1);
    expect(isSynced(scene)).toBe(true);
    expect(scene.sockets).toHaveLength(1);
    expect(scene.of('AccountUpdated').at(-1)?.seq).toBe(5_000_000n);
  });

  test('that repeat a fill show it once (O102)', async () => {
    const scene = aScene();
    await scene.sync();
    scene.socket().frame(fill('1012-0-0'));
    scene.socket().frame(fill('1012-0-0'));
    scene.socket().frame(fill('1013-0-0'));
    await scene.advance(1);
    expect(shownFills(scene)).toEqual(['1012-0-0', '1013-0-0']);
    expect(scene.journal.fills).toHaveLength(2);
  });
});

describe('positions and fills that do not agree', () => {
  test('degrade the account after two seconds, and a position that fits heals it (3.3 step 6)', async () => {
    const scene = aScene();
    await scene.sync();
    scene
      .socket()
      .frame(accountFrame('positions', 1_020, { positions: [aPosition('0.0002')] }, { isSnapshot: false }));
    await scene.advance(1_900);
    scene.socket().frame({ channel: 'pong', data: { ts: 1 } });
    expect(isSynced(scene)).toBe(true);
    expect(scene.stream.state().account.isAuditClean).toBe(false);
    await scene.advance(200);
    expect(reason(scene)).toBe('position of BTC-USD: fills make 0 lots, the exchange says 2 at 1020');
    expect(scene.socket().countOf('positions')).toBe(2);
    scene.socket().frame(fill('1015-0-0'));
    scene.socket().frame(fill('1016-0-0'));
    expect(isSynced(scene)).toBe(true);
  });

  test('are taken over at the first sync of an epoch, after two seconds', async () => {
    const scene = aScene();
    scene.history.body = statesAt(10, { size: '0.0500' });
    await scene.sync({ size: '0.0500' });
    expect(reason(scene)).toMatch(/are being compared/);
    await scene.advance(2_100);
    expect(isSynced(scene)).toBe(true);
    scene.socket().frame(fill('1012-0-0'));
    const positions = [aPosition('0.0501')];
    scene.socket().frame(accountFrame('positions', 1_012, { positions }, { isSnapshot: false }));
    expect(scene.stream.state().account.isAuditClean).toBe(true);
  });

  test('only by the order in which their frames come are nothing (A18)', async () => {
    const scene = aScene();
    await scene.sync();
    for (let i = 0; i < 20; i++) {
      scene.socket().frame(fill(`${1_100 + i}-0-0`));
      await scene.advance(400);
      const positions = [aPosition(`0.00${String(i + 1).padStart(2, '0')}`)];
      scene.socket().frame(accountFrame('positions', 1_100 + i, { positions }, { isSnapshot: false }));
    }
    expect(isSynced(scene)).toBe(true);
    expect(scene.of('AccountDegraded').length).toBe(1);
  });
});

describe('a journal that refuses', () => {
  test('degrades the account for good', async () => {
    const scene = aScene();
    await scene.sync();
    scene.journal.failure = new Error('disk full');
    scene.socket().frame(fill('1012-0-0'));
    await scene.advance(1);
    expect(reason(scene)).toMatch(/journal refused a record: disk full/);
    scene.socket().close('cut');
    await scene.advance(500);
    scene.socket().open();
    scene.socket().acknowledge();
    scene.socket().snapshots(1_020, { size: '0.0001' });
    await scene.advance(100);
    expect(isSynced(scene)).toBe(false);
    expect(reason(scene)).toMatch(/journal refused/);
  });
});
