import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../src/core/index.ts';
import {
  type Axis,
  assignmentOf,
  gridPoints,
  keyOfPoint,
  pointCount,
  randomPoints,
  stepsOf,
} from '../../../../src/research/sweep/space.ts';

const AXES: readonly Axis[] = [
  { path: 'a.x', values: ['1', '2'] },
  { path: 'a.y', values: ['u', 'v', 'w'] },
];

describe('stepsOf', () => {
  test.each([
    ['whole numbers', { from: '50', to: '200', step: '50' }, ['50', '100', '150', '200']],
    ['an end that no whole step reaches', { from: '1', to: '2', step: '0.4' }, ['1', '1.4', '1.8']],
    [
      'tenths, which binary fractions cannot add up',
      { from: '0.1', to: '0.3', step: '0.1' },
      ['0.1', '0.2', '0.3'],
    ],
    ['downwards', { from: '1', to: '-1', step: '-1' }, ['1', '0', '-1']],
    ['negative fractions', { from: '-0.5', to: '0.5', step: '0.25' }, ['-0.5', '-0.25', '0', '0.25', '0.5']],
    ['a step that leads away', { from: '5', to: '1', step: '1' }, ['5']],
    ['no step', { from: '5', to: '9', step: '0' }, ['5']],
    ['one value', { from: '7', to: '7', step: '1' }, ['7']],
  ])('gives %s', (_name, range, values) => {
    expect(stepsOf(range)).toEqual(values);
  });
});

describe('points', () => {
  test('of a grid are all combinations, the last axis turning fastest', () => {
    const points = [...gridPoints(AXES)];
    expect(points).toHaveLength(pointCount(AXES));
    expect(points.map((point) => Object.values(assignmentOf(AXES, point)).join(''))).toEqual([
      ...['1u', '1v', '1w'],
      ...['2u', '2v', '2w'],
    ]);
  });

  test('by chance are different ones, the same for a seed, and all when there are no more', () => {
    const axes = [...AXES, { path: 'a.z', values: Array.from({ length: 50 }, (_, at) => String(at)) }];
    const draw = (seed: number) => randomPoints(axes, 40, seededRandom(seed)).map(keyOfPoint);
    expect(new Set(draw(1)).size).toBe(40);
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(randomPoints(AXES, 99, seededRandom(1))).toHaveLength(6);
  });
});
