/**
 * @module
 * The one way in which the page makes elements: `html` with texts in which each character can be seen. A market, a strategy
 * or a reason from outside can neither bring markup nor turn the order of letters around.
 */
import type { PageElement, Tree } from './browser.ts';

declare const preact: {
  h(type: unknown, props: object | null, ...children: readonly Tree[]): object;
  render(tree: Tree, into: PageElement): void;
};
declare const htm: {
  bind(make: unknown): (parts: TemplateStringsArray, ...values: readonly unknown[]) => Tree;
};

/** Control, format (those that turn directions among them) and separator characters, and halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Attributes that people read. */
const READ = ['title', 'aria-label', 'label'] as const;

/** `text` with each character that is not seen as `\uXXXX`. */
export function seen(text: string): string {
  return text.replace(UNSEEN, (character) =>
    Array.from(
      { length: character.length },
      (_one, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

function seenChild(child: Tree): Tree {
  if (typeof child === 'string') return seen(child);
  return Array.isArray(child) ? child.map(seenChild) : child;
}

function make(type: unknown, props: Record<string, unknown> | null, ...children: readonly Tree[]): object {
  const shown = props === null ? null : { ...props };
  for (const name of READ) {
    const value = shown?.[name];
    if (shown !== null && typeof value === 'string') shown[name] = seen(value);
  }
  return preact.h(type, shown, ...children.map(seenChild));
}

/** Elements from a template. */
export const html = htm.bind(make);

/** Draws the page. */
export function draw(tree: Tree, into: PageElement): void {
  preact.render(tree, into);
}
