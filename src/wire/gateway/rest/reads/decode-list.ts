/**
 * @module
 * Answers that people read and no decision hangs on: checked as far as being an object with a list in it.
 */
import { isRecord, messageOf, ProtocolError, parseJson } from '../../../../core/index.ts';
import type { Decoded } from '../../../protocol/index.ts';

/** The answer in `text`, made of its list `name` and the whole object. */
export function decodeList<T>(
  text: string,
  name: string,
  make: (list: readonly unknown[], answer: Readonly<Record<string, unknown>>) => T,
): Decoded<T> {
  try {
    const answer = parseJson(text);
    const list = isRecord(answer) ? answer[name] : undefined;
    if (isRecord(answer) && Array.isArray(list)) return { ok: true, value: make(list, answer) };
    return { ok: false, error: malformed(`an object with the list ${name}`) };
  } catch (thrown) {
    return { ok: false, error: thrown instanceof ProtocolError ? thrown : malformed(messageOf(thrown)) };
  }
}

function malformed(expected: string): ProtocolError {
  return new ProtocolError({
    code: 'GATEWAY_ANSWER_MALFORMED',
    message: `expected ${expected}, was something else`,
    remedy: 'The other side does not speak the interface; check the base URL and any proxy in between.',
  });
}
