import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/core/index.ts';
import { type Address, quantums } from '../../../../src/domain/index.ts';
import { QuirkSwitches } from '../../../../src/exchange/state/quirks.ts';
import { Sequencer } from '../../../../src/exchange/state/sequencer.ts';
import { type ExchangeSettings, resolveSettings } from '../../../../src/exchange/state/settings.ts';

const owner = `0x${'22'.repeat(20)}` as Address;
const deposit = { kind: 'deposit', owner, subaccount: 0, amount: quantums(5_000_000n) } as const;

function setUp(overrides: Partial<ExchangeSettings> = {}) {
  const clock = new VirtualClock(1_767_700_800_000);
  const settings = resolveSettings(overrides);
  const quirks = new QuirkSwitches(settings.quirks);
  return { clock, sequencer: new Sequencer(clock, settings, { epoch: 'k1', quirks }) };
}

describe('Sequencer', () => {
  test('positions ascend by one and listeners hear each entry after it is applied', () => {
    const { sequencer } = setUp();
    const heard: [number, number][] = [];
    sequencer.onApplied((_applied, _entry, at) => heard.push([at.seq, sequencer.state.seq]));
    sequencer.append({ kind: 'block' });
    sequencer.append(deposit);
    expect(heard).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  test('entries between blocks have the time of the block before them', () => {
    const { clock, sequencer } = setUp();
    const times: number[] = [];
    sequencer.onApplied((_applied, _entry, at) => times.push(at.blockAtMs - 1_767_700_800_000));
    sequencer.append({ kind: 'block' });
    clock.advance(70);
    sequencer.append(deposit);
    clock.advance(30);
    sequencer.append({ kind: 'block' });
    expect(times).toEqual([0, 0, 100]);
  });

  test('a replica becomes the same state, later (GW-MIN-SEQ)', () => {
    const { clock, sequencer } = setUp({ replicaLagMs: 200 });
    sequencer.append(deposit);
    clock.advance(100);
    sequencer.append(deposit);
    expect(sequencer.readState().seq).toBe(0);
    clock.advance(100);
    expect(sequencer.readState().seq).toBe(1);
    clock.advance(100);
    const replica = sequencer.readState();
    expect(replica).not.toBe(sequencer.state);
    const account = replica.registry.find(owner, 0)?.id ?? 0;
    expect(replica.venue.account(account)).toEqual(sequencer.state.venue.account(account));
    expect(replica.history.account(account)?.ledger.newest(5)).toEqual(
      sequencer.state.history.account(account)?.ledger.newest(5),
    );
  });

  test('lag can be changed while entries wait', () => {
    const { clock, sequencer } = setUp({ replicaLagMs: 10_000, durabilityLagMs: 10_000 });
    sequencer.append(deposit);
    clock.advance(50);
    expect([sequencer.readState().seq, sequencer.durableSeq()]).toEqual([0, 0]);
    sequencer.setReplicaLag(0);
    sequencer.setDurabilityLag(0);
    expect([sequencer.readState().seq, sequencer.durableSeq()]).toEqual([1, 1]);
    expect(() => setUp().sequencer.setReplicaLag(5)).toThrow('replicaLagMs');
  });
});
