import { expect, test } from 'vitest';
import { usageProblem } from '../../../../src/cli/terminal/usage-problem.ts';

const HELP = `ballast run <config>

Options:
  --help      Show help
  --duration  Stop after this duration
  --mode      Trade on an own exchange`;

test('an option that is nearly right names the one that is meant, and spares the help', () => {
  const { problem, isMeant } = usageProblem('expected a known command or option, got durration', HELP, [
    'backtets',
  ]);
  expect(problem).toContain('got durration; did you mean --duration?');
  expect(problem).toContain('`ballast run --help`');
  expect(isMeant).toBe(true);
});

test('a command that is nearly right does, too', () => {
  const { problem, isMeant } = usageProblem('Did you mean backtest?', 'ballast <command>', ['backtets']);
  expect(problem).toContain('expected a known command, got backtets; did you mean backtest?');
  expect(isMeant).toBe(true);
});

test('a word that is like no command is not taken for one', () => {
  const { problem, isMeant } = usageProblem('Did you mean new?', 'ballast <command>', ['zzz']);
  expect({ problem, isMeant }).toEqual({ problem: 'expected a known command', isMeant: false });
});

test('what is like nothing shows the help, and a missing argument is named', () => {
  expect(usageProblem('expected a known command or option, got zzzz', HELP, ['backtets'])).toMatchObject({
    isMeant: false,
  });
  expect(usageProblem('got 0 arguments, expected at least 1', HELP, ['backtets'])).toEqual({
    problem: 'got 0 arguments, expected at least 1: ballast run <config>',
    isMeant: false,
  });
});
