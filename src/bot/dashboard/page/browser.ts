/**
 * @module
 * The browser as the page uses it: as much of it as is touched, as types, and the only place that asks the door, reads the
 * clock and waits. The files of this folder run in a browser alone.
 */

/** What of a node of the tree is seen; made by `html` alone. */
export type Tree = object | string | number | null | undefined | false | readonly Tree[];

/** An element. */
export interface PageElement {
  readonly clientWidth: number;
  readonly open?: boolean;
  showModal?(): void;
  append(...children: readonly PageElement[]): void;
}

/** What an element tells. */
export interface PageEvent {
  readonly currentTarget: PageElement;
  preventDefault(): void;
}

interface Answer {
  readonly status: number;
  readonly body: {
    getReader(): { read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }> };
  } | null;
  text(): Promise<string>;
}

interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

declare const fetch: (path: string, options: object) => Promise<Answer>;
declare const sessionStorage: Storage;
declare const location: { readonly hash: string; readonly pathname: string };
declare const history: { replaceState(state: null, title: string, path: string): void };
declare const document: {
  title: string;
  readonly documentElement: PageElement;
  getElementById(id: string): PageElement | null;
};
declare const open: (path: string, target: string, features: string) => unknown;
declare const getComputedStyle: (element: PageElement) => { getPropertyValue(name: string): string };
declare const addEventListener: (type: string, listener: () => void) => void;
declare const matchMedia: (query: string) => {
  addEventListener(type: string, listener: () => void): void;
};
declare const FormData: new (form: PageElement) => Iterable<readonly [string, unknown]>;

/** Unix ms of this browser. */
export function now(): number {
  return Date.now();
}

/** Calls `action` after `ms`. */
export function later(ms: number, action: () => void): void {
  setTimeout(action, ms);
}

/** Asks the door. Rejects when nothing answers. */
export function ask(
  path: string,
  token: string,
  options: { readonly body?: object; readonly signal?: AbortSignal } = {},
): Promise<Answer> {
  const { body, signal } = options;
  return fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    cache: 'no-store',
    credentials: 'omit',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

const KEY = 'ballast.token';

/** The token of this tab; one in the address is taken out of it first. */
export function tokenOfTab(): string | undefined {
  const given = /^#token=(?<token>[0-9a-f]{16,200})$/.exec(location.hash)?.groups?.['token'];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}

/** Keeps the token in this tab alone; `undefined` forgets it. */
export function keepToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
}

/** Where the page is drawn. */
export function root(): PageElement | null {
  return document.getElementById('page');
}

/** Names the tab. */
export function nameTab(title: string): void {
  document.title = title;
}

/** Opens an address of the door in a tab of its own. */
export function openTab(path: string): void {
  open(path, '_blank', 'noopener');
}

/** A color of the style sheet, as it is now. */
export function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Calls `action` when the window has another size, and when the system goes from light to dark. */
export function onLook(action: () => void): void {
  addEventListener('resize', action);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', action);
}

/** Calls `action` when another address of this page is typed: a token that was given later. */
export function onAddress(action: () => void): void {
  addEventListener('hashchange', action);
}

/** The fields of a form as text. */
export function typedInto(form: PageElement): Readonly<Record<string, string>> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}
