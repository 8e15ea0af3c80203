/** @module What a check expects, and the one way to say that something else was found. */
import { BotError, formatJson } from '../core/index.ts';
import type { ReceivedAnswer } from './answer.ts';

/** The gateway does something else than the rule says. */
export class Deviation extends BotError {
  override readonly name = 'Deviation';

  constructor(what: string, expected: string, found: string) {
    super({
      code: 'CONFORMANCE_DEVIATION',
      message: `${what}: expected ${expected}, got ${found}`,
      remedy: 'Compare the gateway with the rule of this check.',
    });
  }
}

/** The check needs something that this gateway or harness does not offer: it is skipped, not failed. */
export class NotOffered extends BotError {
  override readonly name = 'NotOffered';

  constructor(what: string) {
    super({
      code: 'CONFORMANCE_NOT_OFFERED',
      message: `not offered here: ${what}`,
      remedy: 'Run the check against the embedded exchange.',
    });
  }
}

/** Values are the same, by their JSON. @throws Deviation */
export function same(what: string, found: unknown, expected: unknown): void {
  const [was, wanted] = [shown(found), shown(expected)];
  if (was !== wanted) throw new Deviation(what, wanted, was);
}

/** Something holds; `found` is shown when it does not. @throws Deviation */
export function holds(expected: string, isSo: boolean, found: unknown): void {
  if (!isSo) throw new Deviation('a rule', expected, shown(found));
}

/** A text has the form of `pattern`. @throws Deviation */
export function matches(what: string, found: unknown, pattern: RegExp): void {
  if (typeof found !== 'string' || !pattern.test(found))
    throw new Deviation(what, `text like ${pattern.source}`, shown(found));
}

/** The answer has this status. @throws Deviation with its body. */
export function answered(answer: ReceivedAnswer, status = 200): ReceivedAnswer {
  if (answer.status !== status)
    throw new Deviation(answer.about, `status ${status}`, `${answer.status} ${answer.body.slice(0, 300)}`);
  return answer;
}

/** The answer is an error of this status and code. @throws Deviation */
export function refused(answer: ReceivedAnswer, status: number, code: string): ReceivedAnswer {
  answered(answer, status);
  same(`${answer.about}, error.code`, answer.at('error.code'), code);
  return answer;
}

/** The answer is an error of this status, whatever its code. @throws Deviation */
export function refusedWith(answer: ReceivedAnswer, status: number): ReceivedAnswer {
  answered(answer, status);
  matches(`${answer.about}, error.code`, answer.at('error.code'), /./);
  return answer;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : formatJson(value).slice(0, 400);
}
