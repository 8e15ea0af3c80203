/** @module What a control action says when it cannot do what it is asked: a field that is wrong, or a state that forbids it. */
import { BotError } from '../../core/index.ts';
import { describeValue, type ParameterProblem } from './parameters.ts';

/** A parameter is wrong. */
export function invalidField(field: string, expected: string, found: unknown): BotError {
  return invalidFields([{ path: [field], isName: false, expected, found: describeValue(found) }]);
}

/** Parameters are wrong; the details name the first of them. */
export function invalidFields(problems: readonly ParameterProblem[]): BotError {
  const lines = problems.map(
    ({ path, expected, found }) => `${path.join('.') || '(body)'}: expected ${expected}, found ${found}`,
  );
  const [first] = problems;
  return new BotError({
    code: 'CONTROL_INVALID',
    message: lines.join('; '),
    remedy: 'The actions and their parameters are listed in docs/reference/control.md and at /control.',
    details: { field: first?.path.join('.') ?? '', expected: first?.expected, found: first?.found },
  });
}

/** The exchange is not in a state for it; `hint` says what would make it so. */
export function refused(message: string, hint: string): BotError {
  return new BotError({
    code: 'CONTROL_REFUSED',
    message: `${message}: ${hint}`,
    remedy: 'Bring the exchange into the state that the message asks for, then ask again.',
  });
}
