/**
 * @module
 * The transport port: requests and sockets as text, nothing else. The network implements it with undici and ws; a
 * simulated exchange implements it in memory, so that a whole bot runs without sockets. A request goes out at most
 * once; a promise never rejects.
 */

/** A request that is ready to leave. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Starts with a slash, below the base URL, and holds its query. */
  readonly path: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; absent: none. */
  readonly body?: string;
  /** From the call to the last byte of the answer. */
  readonly timeoutMs: number;
}

/** A full answer. Header names are lower case. */
export interface HttpAnswer {
  readonly kind: 'answer';
  /** HTTP status. */
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The body as text. */
  readonly body: string;
}

/** Headers by their lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** No answer. `notSent`: not one byte of the request left. `lost`: it may have arrived. */
export interface NoAnswer {
  readonly kind: 'notSent' | 'lost';
  /** The reason, in words. */
  readonly why: string;
  /** Nothing is wrong: our own count of a budget had no capacity left (obligation O116). */
  readonly isHeldBack?: true;
}

/** What a socket reports. `stream/ports` declares the same shape. */
export interface SocketListener {
  /** The connection is open. */
  onOpen(): void;
  /** `receivedAtMs` is stamped once, by the injected clock. */
  onFrame(text: string, receivedAtMs: number): void;
  /** Exactly once. */
  onClose(why: string): void;
}

/** One socket. */
export interface StreamSocket {
  /** Sends a text frame; before the socket is open and after it closed this does nothing. */
  send(text: string): void;
  /** Destroys the socket. */
  close(why: string): void;
}

/** Carries requests and sockets to one environment. */
export interface Transport {
  /** Sends a request once. */
  request(request: HttpRequest): Promise<HttpAnswer | NoAnswer>;
  /** `onUpgrade` gets the answer to the upgrade, where there is one. Events come after the call has returned. */
  open(listener: SocketListener, onUpgrade?: (status: number, headers: AnswerHeaders) => void): StreamSocket;
  /** Destroys everything; what is in flight ends as lost. */
  close?(): Promise<void>;
}
