/** @module What hostile scenarios showed, for people: a table, and the page of the documents that holds it. */
import type { Judged } from './judge.ts';

/** The table as markdown. */
export function tableOf(judged: readonly Judged[]): string {
  const rows = judged.map(
    ({ group, fault, withoutS, healedS, withinS, verdict }) =>
      `| ${group} | ${fault} | ${withoutS} | ${healedS ?? '-'} | ${withinS} | ${verdict.replaceAll('|', '/')} |`,
  );
  return [
    '| Of | Fault | Seconds without quotes | Seconds to heal | At most | Verdict |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** docs/reference/hostile-gateway.md. */
export function pageOf(judged: readonly Judged[]): string {
  const good = judged.filter(({ isGood }) => isGood).length;
  return `# A hostile gateway

\`npm run prove -- hostile --write\` makes this page: ${judged.length} scenarios between a real bot and a real exchange, each
a process of its own, with a proxy between them that loses, delays, doubles, forges and cuts. *Seconds to heal* begin when
the exchange serves the truth again. They end with a new quote, without a restart of the bot, and with a journal that has
each fill and each entry of the ledger that the exchange has, once. *Seconds without quotes* include the fault itself. A
verdict of *person* names what the bot says of a fault that only a person can clear.

${good} of ${judged.length} are as they must be. The others stay in the table until they are.

${tableOf(judged)}
`;
}
