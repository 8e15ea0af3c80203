import { describe, expect, test } from 'vitest';
import { explore, minimizeSchedule, ownRunners } from '../../simulation/explore/explorer.ts';
import { Gatekeeper } from '../../simulation/explore/gatekeeper.ts';
import type { Outcome } from '../../simulation/explore/run-schedule.ts';
import {
  idOf,
  describe as inWords,
  longerThan,
  type Schedule,
  scheduleOf,
} from '../../simulation/explore/schedule.ts';
import type { Arrival } from '../../simulation/network/line.ts';

const idsOf = (schedules: Iterable<Schedule>): readonly string[] => [...schedules].map(idOf);

describe('schedules', () => {
  test.each(['plain', '12x', '3d.7k', '0>4.2>3.9p'])('%s is read as it is written', (id) => {
    expect(idOf(scheduleOf(id) ?? [])).toBe(id);
  });

  test.each(['', '12', 'x', '7x.3x', '3x.3d', '4>'])('%s is none', (id) => {
    expect(scheduleOf(id)).toBeUndefined();
  });

  test('one step more: each message lost, doubled, late behind each later one; a death before each step', () => {
    expect(idsOf(longerThan([], 'ArB'))).toEqual([
      ...['0k', '0p', '0x', '0d', '0>2'],
      ...['1k', '1p'],
      ...['2k', '2p', '2x', '2d'],
    ]);
  });

  test('what the bot takes in and what the exchange does leave each other alone, and so do frames of one channel', () => {
    const late = (steps: string): readonly string[] =>
      idsOf(longerThan([], steps)).filter((id) => id.includes('>'));
    expect(late('AqB')).toEqual(['0>2', '1>2']);
    expect(late('AAB')).toEqual(['0>2', '1>2']);
    expect(late('qqa')).toEqual(['0>1', '0>2', '1>2']);
    expect(late('aar')).toEqual(['0>1']);
  });

  test('the next deviation is behind the last, and nobody dies twice', () => {
    expect(idsOf(longerThan([{ at: 1, kind: 'crash' }], 'ArB'))).toEqual(['1k.2x', '1k.2d']);
  });

  test('deviations are told by what their steps are', () => {
    const words = inWords({ at: 1, kind: 'late', behind: 4 }, (step) => `message ${step}`);
    expect(words).toBe('step 1: message 1 is taken in behind step 4, message 4');
  });
});

describe('the gatekeeper', () => {
  /** What is taken in when these channels of one socket arrive in order. */
  function takenIn(id: string, channels: readonly string[]): readonly string[] {
    const taken: string[] = [];
    const gate = new Gatekeeper({
      schedule: scheduleOf(id) ?? [],
      withhold: (text) => taken.push(`lost ${text}`),
      die: (kind) => taken.push(kind),
    });
    gate.watch();
    for (const [at, channel] of channels.entries()) {
      const text = `${channel}${at}`;
      const arrival: Arrival = {
        kind: channel === 'answer' ? 'answer' : 'frame',
        about: () => ({ what: channel, number: 1, text }),
        take: () => taken.push(text),
      };
      gate.pass(arrival);
    }
    gate.open();
    return taken;
  }

  test('takes everything in as it comes', () => {
    expect(takenIn('plain', ['fills', 'orders', 'answer'])).toEqual(['fills0', 'orders1', 'answer2']);
  });

  test('loses, doubles and kills', () => {
    expect(takenIn('0x.1d.2k', ['fills', 'orders', 'answer'])).toEqual([
      ...['lost fills0', 'orders1', 'orders1', 'crash', 'answer2'],
    ]);
  });

  test('a held frame holds its channel, and others pass', () => {
    expect(takenIn('0>3', ['fills', 'orders', 'fills', 'answer'])).toEqual([
      ...['orders1', 'answer3', 'fills0', 'fills2'],
    ]);
  });

  test('what speaks of all before it waits for what is held, and what comes then waits for it', () => {
    expect(takenIn('0>3', ['fills', 'pong', 'orders', 'answer'])).toEqual([
      ...['answer3', 'fills0', 'pong1', 'orders2'],
    ]);
  });

  test('what is held for a step that never comes is let in at the end', () => {
    expect(takenIn('0>9', ['fills', 'orders'])).toEqual(['orders1', 'fills0']);
  });
});

describe('the explorer', () => {
  const NEVER = { isLate: () => false };
  /** A run of three messages that fails if the first is lost. */
  const run = async (schedule: Schedule): Promise<Outcome> => ({
    steps: 'ABC',
    marks: [0, 1, 2, 3].map((at) => `${idOf(schedule)} ${at}`),
    violations: schedule.some(({ at, kind }) => at === 0 && kind === 'drop')
      ? [{ id: 'I1', atMs: 1, what: 'a fill is missing' }]
      : [],
    states: [String(schedule.length)],
  });

  test('goes by depth, counts states, and makes nothing longer that failed', async () => {
    const ids: string[] = [];
    const runners = ownRunners(async (schedule) => {
      ids.push(idOf(schedule));
      return await run(schedule);
    });
    const { levels, states, failures, schedules } = await explore(runners, {
      schedules: 1e6,
      depth: 2,
      ...NEVER,
    });
    expect(levels.map(({ depth, isComplete }) => [depth, isComplete])).toEqual([
      ...[
        [0, true],
        [1, true],
        [2, true],
      ],
    ]);
    expect(levels[1]).toMatchObject({ schedules: 15, failures: 1 });
    expect([states, failures.map(({ id }) => id), schedules]).toEqual([3, ['0x'], new Set(ids).size]);
    expect(ids.filter((id) => id.startsWith('0x.'))).toEqual([]);
  });

  /** Longer schedules, of runs whose marks these are. */
  async function longerOnes(marks: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const ids: string[] = [];
    const runners = ownRunners(async (schedule) => {
      const id = idOf(schedule);
      ids.push(id);
      const own = marks[id] ?? `${id}0 ${id}1 ${id}2 ${id}3`;
      return { steps: 'ABC', marks: own.split(' '), violations: [], states: [] };
    });
    await explore(runners, { schedules: 1e6, depth: 2, ...NEVER });
    return ids.filter((id) => id.includes('.'));
  }

  test('deviates once from states that are alike, whatever led to them', async () => {
    const plain = '0 1 2 end';
    const isAlone = await longerOnes({ plain });
    expect(isAlone).toContain('0d.1x');
    const longer = await longerOnes({ plain, '0d': 'x 1 2 end', '0x': 'y z 2 end' });
    expect(longer.filter((id) => id.startsWith('0d.'))).toEqual([]);
    expect(longer.filter((id) => id.startsWith('0x.'))).toEqual([
      '0x.1k',
      '0x.1p',
      '0x.1x',
      '0x.1d',
      '0x.1>2',
    ]);
  });

  test('what is held is part of a state, and a death', async () => {
    const plain = '0 1 2 end';
    const longer = await longerOnes({ plain, '0>1': '0 1 x y', '0k': 'x 1 2 end' });
    expect(longer).toContain('0>1.1x');
    expect(longer).toContain('0k.1x');
  });

  test('a message that has changed places with what leaves it alone is made longer no more', async () => {
    const plain = '0 1 2 end';
    const longer = await longerOnes({ plain, '0>1': '0 x 2 end', '0>2': '0 x y other' });
    expect(longer.filter((id) => id.startsWith('0>1.'))).toEqual([]);
    expect(longer).toContain('0>2.1x');
  });

  test('says which depth is not complete', async () => {
    const { levels } = await explore(ownRunners(run), { schedules: 10, depth: 2, ...NEVER });
    expect(levels.map(({ schedules, isComplete }) => [schedules, isComplete])).toEqual([
      ...[
        [1, true],
        [9, false],
      ],
    ]);
  });

  test('leaves out of a failing schedule what it fails without', async () => {
    const failing = scheduleOf('0x.1d.2k') ?? [];
    const { violations } = await run(failing);
    const smallest = await minimizeSchedule({ id: idOf(failing), violations }, ownRunners(run));
    expect(idOf(smallest)).toBe('0x');
  });
});
