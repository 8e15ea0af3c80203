/** @module JSON documents of a gateway, looked into by path, and whole answers with their headers. */
import { isRecord, parseJson } from '../core/index.ts';
import type { AnswerHeaders } from '../wire/gateway/index.ts';

/** Any JSON value. Nothing here throws for what a gateway sends: a path that leads nowhere gives `undefined`. */
export class Doc {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** The value at a path such as `items.0.orderId`; the empty path is the document itself. */
  at(path: string): unknown {
    if (path === '') return this.value;
    return path.split('.').reduce<unknown>((at, name) => {
      if (Array.isArray(at)) return at[Number(name)];
      return isRecord(at) ? at[name] : undefined;
    }, this.value);
  }

  /** What is there as text. */
  text(path: string): string {
    return String(this.at(path));
  }

  /** The number that is there, NaN for anything else. Positions may come as text (ambiguity A17). */
  number(path: string): number {
    const value = this.at(path);
    return typeof value === 'object' ? Number.NaN : Number(value ?? Number.NaN);
  }

  /** The list that is there; none: empty. */
  list(path: string): readonly Doc[] {
    const value = this.at(path);
    return Array.isArray(value) ? value.map((item) => new Doc(item)) : [];
  }

  /** The part that is there. */
  part(path: string): Doc {
    return new Doc(this.at(path));
  }
}

/** A whole answer of a gateway. */
export class ReceivedAnswer extends Doc {
  /** Method and path, for messages. */
  readonly about: string;
  readonly status: number;
  readonly body: string;
  readonly headers: AnswerHeaders;

  constructor(about: string, answer: { status: number; body: string; headers: AnswerHeaders }) {
    super(jsonOf(answer.body));
    this.about = about;
    this.status = answer.status;
    this.body = answer.body;
    this.headers = answer.headers;
  }

  /** A header by its lower-case name. */
  header(name: string): string | undefined {
    const value = this.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }
}

function jsonOf(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
