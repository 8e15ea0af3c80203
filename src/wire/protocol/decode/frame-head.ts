/**
 * @module
 * What a frame is about, found in its first characters without parsing it: only of frames that are the whole state of
 * one market, of which the newest makes the older ones needless. Whatever looks otherwise has no such head.
 */

/** The head of a frame of a whole state. */
export interface StateFrameHead {
  readonly channel: 'book' | 'bbo';
  /** As it stands in the text. */
  readonly symbol: string;
  /** The first frame of a subscription: nothing stands in for it. */
  readonly isSnapshot: boolean;
}

const BOOK = '{"channel":"book",';
const BBO = '{"channel":"bbo",';
/** What stands before the levels is shorter. */
const HEAD_LENGTH_MAX = 256;
const SYMBOL = /"symbol":"([\w.:/-]{1,64})"/;

/** The head of a frame of `book` or `bbo`; `undefined` for every other text. */
export function stateFrameHead(text: string): StateFrameHead | undefined {
  const channel = text.startsWith(BOOK) ? 'book' : text.startsWith(BBO) ? 'bbo' : undefined;
  if (channel === undefined) return undefined;
  const symbol = SYMBOL.exec(text.slice(0, HEAD_LENGTH_MAX))?.[1];
  return symbol === undefined
    ? undefined
    : { channel, symbol, isSnapshot: text.includes('"isSnapshot":true') };
}
