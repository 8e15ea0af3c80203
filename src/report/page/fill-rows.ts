/** @module The table of fills and its download, in the browser. Put into the page as text: nothing here may use an import's value. */
import type { PageData } from '../page-data.ts';
import type { PageDocument } from './dom.ts';

declare const document: PageDocument;
declare const Blob: new (parts: readonly string[], options: { readonly type: string }) => object;
declare const URL: { createObjectURL(blob: object): string; revokeObjectURL(address: string): void };

/** The fields of a line of CSV. */
export function fieldsOf(line: string): readonly string[] {
  const fields = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? [];
  return fields
    .slice(0, line.endsWith(',') ? fields.length : -1)
    .map((field) => field.replace(/,$/, '').replace(/^"|"$/g, '').replaceAll('""', '"'));
}

/** Fills the table of fills, 100 rows at a time; a row that is clicked calls `onRow`. */
export function listFills(data: PageData, onRow: (ms: number, symbol: string) => void): void {
  const table = document.getElementById('fill-rows');
  const more = document.getElementById('fills-more');
  if (table === null || more === null) return;
  const [head = '', ...lines] = data.fillList.trimEnd().split('\n');
  const add = (to: typeof table, tag: string, fields: readonly string[]) => {
    const row = document.createElement('tr');
    fields.forEach((text, at) => {
      const cell = document.createElement(tag);
      cell.textContent = text;
      if (at < 4 || at > 10) cell.className = 'name';
      row.append(cell);
    });
    to.append(row);
    return row;
  };
  const top = document.createElement('thead');
  const body = document.createElement('tbody');
  table.append(top, body);
  add(top, 'th', fieldsOf(head));
  let shown = 0;
  const next = () => {
    for (const line of lines.slice(shown, shown + 100)) {
      const fields = fieldsOf(line);
      const row = add(body, 'td', fields);
      row.addEventListener('click', () => onRow(Date.parse(fields[0] ?? ''), fields[1] ?? ''));
    }
    shown += 100;
    more.hidden = shown >= lines.length;
  };
  next();
  more.addEventListener('click', next);
  document.getElementById('fills-csv')?.addEventListener('click', () => {
    const address = URL.createObjectURL(new Blob([data.fillList], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = 'fills.csv';
    link.click();
    URL.revokeObjectURL(address);
  });
}
