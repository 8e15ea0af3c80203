/**
 * @module
 * Cuts inside of upgrades and of frames: the client hears every frame that came whole and nothing of the one that did
 * not, and of the end exactly once; the exchange takes no frame of which a byte is missing.
 */
import { must } from '../../src/core/index.ts';
import { type CutCount, type CutSteps, ENDINGS, nextByte } from './byte-cuts.ts';
import type { CutScene } from './cut-scene.ts';
import type { StreamPlan } from './fault-proxy.ts';
import { CLIENT_FRAMES, SERVER_FRAMES } from './wire-samples.ts';

const END_MS_MAX = 4_000;

/** What one socket told, in its order. */
export interface Heard {
  opened: number;
  closed: number;
  readonly frames: string[];
}

/** A text with characters of several bytes: cuts fall inside of them too. */
const WIDE = JSON.stringify({ channel: 'error', data: { code: 'InvalidRequest', message: 'größer: €, 🜁' } });

/** One text of each kind of frame that an exchange sends. */
export const FRAME_TEXTS: ReadonlyMap<string, string> = new Map([
  ...SERVER_FRAMES.map(
    (frame) =>
      [
        'isSnapshot' in frame && frame.isSnapshot ? `${frame.channel} snapshot` : frame.channel,
        JSON.stringify(frame),
      ] as const,
  ),
  ['wide characters', WIDE],
]);

/** A text frame of a server in one piece, or in `pieces`. */
export function textFrame(text: string, pieces = 1): Buffer {
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length / pieces);
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length || frames.length === 0; at += size) {
    const opcode = at === 0 ? 1 : 0;
    const isLast = at + size >= bytes.length;
    frames.push(frameOf((isLast ? 0x80 : 0) | opcode, bytes.subarray(at, at + size)));
  }
  return Buffer.concat(frames);
}

/** A frame of a server with this first byte. */
export function frameOf(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([first, length]), payload]);
  if (length < 65_536) return Buffer.concat([Buffer.from([first, 126, length >> 8, length & 0xff]), payload]);
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** Opens one socket under `plan`; resolves when it has ended. `send` is called once it is open. */
export async function runSocket(
  scene: CutScene,
  plan: StreamPlan,
  texts: readonly string[] = [],
): Promise<Heard & { readonly isEmitted: boolean }> {
  const heard: Heard = { opened: 0, closed: 0, frames: [] };
  scene.proxy.planStream(plan);
  const isEmitted = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), END_MS_MAX);
    const socket = scene.gateway.sockets.open({
      onOpen: () => {
        heard.opened++;
        for (const text of texts) socket.send(text);
      },
      onFrame: (text) => heard.frames.push(text),
      onClose: () => {
        heard.closed++;
        clearTimeout(timer);
        // What comes after the end comes at once, if it comes.
        setImmediate(() => resolve(true));
      },
    });
  });
  return { ...heard, isEmitted };
}

/** Cuts frames of one kind, behind a whole one, at the bytes of `steps`. */
export async function cutServerFrames(
  scene: CutScene,
  name: string,
  steps: CutSteps,
  count: CutCount,
): Promise<void> {
  const text = must(FRAME_TEXTS.get(name), name);
  const before = must(FRAME_TEXTS.get('pong'), 'a pong');
  const [whole, frame] = [textFrame(before), textFrame(text)];
  for (const ending of ENDINGS) {
    for (let byte = steps.first; byte <= frame.length; byte = nextByte(byte, steps.step, frame.length)) {
      const bytes = Buffer.concat([whole, frame.subarray(0, byte)]);
      const seen = await runSocket(scene, { kind: 'inject', bytes, ending });
      const expected = byte === frame.length ? [before, text] : [before];
      count.cases++;
      const problem = problemOf(seen, expected);
      if (problem !== undefined)
        count.wrong.push(`frame ${name} byte ${byte} of ${frame.length} by ${ending}: ${problem}`);
    }
  }
}

function problemOf(
  seen: Awaited<ReturnType<typeof runSocket>>,
  expected: readonly string[],
): string | undefined {
  if (!seen.isEmitted) return 'not told of the end';
  if (seen.opened !== 1 || seen.closed !== 1) return `opened ${seen.opened}, closed ${seen.closed}`;
  if (seen.frames.join() !== expected.join()) return `heard ${seen.frames.length} of ${expected.length}`;
  return undefined;
}

/** Cuts what the client sends at the bytes of `steps`: the exchange takes the frames that came whole. */
export async function cutClientFrames(scene: CutScene, steps: CutSteps, count: CutCount): Promise<void> {
  const texts = CLIENT_FRAMES.map((frame) => JSON.stringify(frame));
  const ends: number[] = [];
  // Of a client: two bytes or four, then the mask.
  for (const text of texts) ends.push((ends.at(-1) ?? 0) + text.length + (text.length < 126 ? 2 : 4) + 4);
  const total = must(ends.at(-1), 'a frame');
  const spy = spyOnStreams(scene);
  for (const ending of ENDINGS) {
    for (let byte = steps.first; byte <= total; byte = nextByte(byte, steps.step, total)) {
      const taken = spy.next();
      const seen = await runSocket(scene, { kind: 'cutClient', byte, ending }, texts);
      await taken.ended(END_MS_MAX);
      const whole = ends.filter((end) => end <= byte).length;
      count.cases++;
      const isPrefix = taken.texts.join() === texts.slice(0, taken.texts.length).join();
      // A reset may overtake frames that had been passed on.
      const isRight = ending === 'fin' ? taken.texts.length === whole : taken.texts.length <= whole;
      if (!seen.isEmitted || seen.closed !== 1 || !taken.isClosed || !isPrefix || !isRight)
        count.wrong.push(
          `client frames byte ${byte} of ${total} by ${ending}: ${JSON.stringify({ ...seen, frames: 0 })}, the exchange took ${taken.texts.length} of ${whole}, closed ${taken.isClosed}`,
        );
    }
  }
  spy.end();
}

/** What the exchange took of one socket. */
class Taken {
  readonly texts: string[] = [];
  isClosed = false;
  #tell: (() => void) | undefined;

  close(): void {
    this.isClosed = true;
    this.#tell?.();
  }

  /** Waits for its end, for a bounded time. */
  async ended(waitMsMax: number): Promise<void> {
    if (this.isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMsMax);
      this.#tell = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Notes what the exchange takes of each socket. */
function spyOnStreams({ exchange }: CutScene): { next(): Taken; end(): void } {
  const open = exchange.openStream;
  let taken = new Taken();
  exchange.openStream = (ip, sink) => {
    const opened = open.call(exchange, ip, sink);
    if ('status' in opened) return opened;
    const { session } = opened;
    const mine = taken;
    return {
      ...opened,
      session: {
        ...session,
        receive: (text) => {
          mine.texts.push(text);
          session.receive(text);
        },
        closed: () => {
          mine.close();
          session.closed();
        },
      },
    };
  };
  return {
    next: () => {
      taken = new Taken();
      return taken;
    },
    end: () => {
      exchange.openStream = open;
    },
  };
}

/** Cuts the upgrade itself, either way: it opens when all of its answer came, and ends once. */
export async function cutUpgrades(scene: CutScene, steps: CutSteps, count: CutCount): Promise<void> {
  for (const ending of ENDINGS) {
    for (const way of ['request', 'answer'] as const) {
      let total = Number.POSITIVE_INFINITY;
      for (let byte = steps.first; byte <= total; byte = nextByte(byte, steps.step, total)) {
        const seen = await runSocket(scene, { kind: 'cutUpgrade', way, byte, ending });
        const { requestBytes, answerBytes } = scene.proxy.lastPassage;
        total = way === 'request' ? requestBytes : answerBytes;
        const isWhole = way === 'answer' && byte === total;
        count.cases++;
        // A reset may overtake the end of the answer.
        const isOpenRight = seen.opened === (isWhole ? 1 : 0) || (isWhole && ending === 'rst');
        if (!seen.isEmitted || seen.closed !== 1 || seen.frames.length > 0 || !isOpenRight)
          count.wrong.push(`upgrade ${way} byte ${byte} of ${total} by ${ending}: ${JSON.stringify(seen)}`);
      }
    }
  }
}
