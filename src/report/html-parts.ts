/** @module The parts that sections of pages are made of: text made safe, tables, lists of words, histograms as SVG. */
import type { Histogram } from './histogram.ts';

/** Text made safe inside HTML. */
export function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (sign) => names[sign] ?? sign);
}

/** A table of more rows scrolls on its own: what comes after it stays in reach. */
const ROWS_OPEN_MAX = 48;

/** A table with a row of names; the first columns, two where nothing else is said, are text. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], texts = 2): string {
  const cells = (tag: 'th' | 'td', all: readonly string[]) =>
    all.map((text, at) => `<${tag}${at < texts ? ' class="name"' : ''}>${escaped(text)}</${tag}>`).join('');
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n');
  return `<div class="scroll${rows.length > ROWS_OPEN_MAX ? ' tall' : ''}"><table><thead><tr>${cells('th', head)}</tr></thead><tbody>\n${body}\n</tbody></table></div>`;
}

/** Names and what there is to say of each. */
export function words(rows: readonly (readonly [name: string, text: string])[]): string {
  const body = rows.map(([name, text]) => `<tr><td>${escaped(name)}</td><td>${escaped(text)}</td></tr>`);
  return `<table class="words"><tbody>\n${body.join('\n')}\n</tbody></table>`;
}

/** A part of a page that can be folded away. */
export function folded(summary: string, content: string): string {
  return `<details><summary>${escaped(summary)}</summary>\n${content}</details>`;
}

const WIDTH = 320;
const HEIGHT = 96;

/** The bins as bars; `textOf` says a value, for what a bar shows under the pointer. */
export function bars(bins: Histogram['bins'], textOf: (value: number) => string): string {
  const total = bins.reduce((sum, { weight }) => sum + weight, 0);
  const most = Math.max(...bins.map(({ weight }) => weight));
  const step = WIDTH / bins.length;
  const rects = bins.map(({ from, to, weight }, at) => {
    // What is there is seen, however little it is.
    const height = weight === 0 ? 0 : Math.max(1.5, (weight / most) * HEIGHT);
    const share = `${((weight / total) * 100).toFixed(1)} %`;
    const place = `x="${(at * step).toFixed(2)}" y="${(HEIGHT - height).toFixed(2)}"`;
    const size = `width="${Math.max(1, step - 1).toFixed(2)}" height="${height.toFixed(2)}"`;
    return `<rect ${place} ${size}><title>${escaped(`${textOf(from)} to ${textOf(to)}: ${share}`)}</title></rect>`;
  });
  return `<svg class="bars" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img">${rects.join('')}</svg>`;
}
