/** @module Shows every answer of a transport, or the lack of one, to a listener that keeps them. */
import type { HttpAnswer, HttpRequest, NoAnswer, Transport } from './transport.ts';

/** Gets each answer as it comes, before anyone acts on it. Must not throw. */
export type AnswerTap = (request: HttpRequest, answer: HttpAnswer | NoAnswer) => void;

/** `transport`; `tap` receives every answer. */
export function tapAnswers(transport: Transport, tap: AnswerTap): Transport {
  return {
    async request(request) {
      const answer = await transport.request(request);
      tap(request, answer);
      return answer;
    },
    open: (listener, onUpgrade) => transport.open(listener, onUpgrade),
    close: async () => await transport.close?.(),
  };
}
