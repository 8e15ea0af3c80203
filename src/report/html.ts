/**
 * @module
 * The report of a run as one file: it opens offline in any browser, asks nothing of any network, follows the system in
 * light and dark, and can be read without its script but for the charts. The same record gives the same bytes.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ownModule } from '../core/index.ts';
import type { RunRecord } from '../domain/index.ts';
import {
  distributionSection,
  fillListSection,
  periodSection,
  riskSection,
  tripSection,
} from './html-details.ts';
import { escaped } from './html-parts.ts';
import { PAGE_STYLE } from './html-style.ts';
import {
  cards,
  courseSection,
  fillSection,
  otherSections,
  parameterSection,
  pnlSection,
  runSection,
  strategySection,
} from './html-tables.ts';
import { pageDataOf } from './page-data.ts';
import { type ReportDocument, reportOf } from './report-document.ts';
import { robustnessSection } from './robustness-section.ts';
import { chartLibrary } from './uplot.ts';
import { clockText, lengthText } from './words.ts';

/** Nothing but what the page brings along may run or be loaded. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

const load = createRequire(import.meta.url);

/** The script of the page. Its file stays one when the rest is built into few: its functions go into the page as text. */
function pageScript(): string {
  const script: typeof import('./page/script.ts') = load(fileURLToPath(ownModule('report/page/script')));
  return script.pageScript();
}

/** The page of a run. */
export function htmlOfRun(record: RunRecord): string {
  const report = reportOf(record);
  const { data, notes } = pageDataOf(record, report);
  const { script, style } = chartLibrary();
  const { mode, runId, strategies } = report.run;
  const name = runId.startsWith(mode) ? runId : `${mode} ${runId}`;
  const title = `${strategies.join(', ') || 'no strategy'}: ${name}`;
  // A text that looks like the end of a script would end it.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>
${style}
${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p class="soft">${escaped(`${clockText(report.run.from)} to ${clockText(report.run.to)} UTC, ${lengthText(report.run.durationMs)}, in ${report.run.markets.join(', ')}`)}</p>
${navigation(report)}
</header>
<main>
${cards(report)}
${charts(report, notes, record.latency !== undefined)}
${pnlSection(report)}
${strategySection(report)}
${periodSection(report)}
${riskSection(report)}
${robustnessSection(report.robustness)}
${tripSection(report)}
${fillSection(report)}
${distributionSection(report)}
${otherSections(report)}
${courseSection(report)}
${fillListSection(report, data.listedFills)}
${runSection(report)}
${parameterSection(report)}
</main>
<footer>Made by ballast. Charts by uPlot (MIT License, Copyright (c) Leon Sorokin), which is part of this file.</footer>
<script type="application/json" id="data">${json}</script>
<script>${script}</script>
<script>${pageScript()}</script>
</body>
</html>
`;
}

const navigation = ({ robustness }: ReportDocument) =>
  `<nav>${[
    ['pnl-parts', 'PnL'],
    ['time', 'by day and hour'],
    ['drawdowns', 'drawdowns'],
    ...(robustness === null ? [] : [['robustness', 'robustness']]),
    ['trips', 'round trips'],
    ['fills', 'fills and markouts'],
    ['distributions', 'distributions'],
    ['quoting', 'quoting'],
    ['run', 'run'],
  ]
    .map(([id, name]) => `<a href="#${id}">${name}</a>`)
    .join(' ')}</nav>`;

const TOOLS = `<div class="tools">
<button type="button" data-move="in" aria-label="zoom in">+</button>
<button type="button" data-move="out" aria-label="zoom out">−</button>
<button type="button" data-move="left" aria-label="earlier">◀</button>
<button type="button" data-move="right" aria-label="later">▶</button>
<button type="button" data-move="all">Whole run</button>
<span class="soft hint">or drag over a chart, Ctrl + wheel zooms, Shift + wheel pans; a double click shows the whole run</span>
</div>`;

const KEYS = `<p class="keys"><span><i class="key mid"></i>mid</span><span><i class="key bid"></i>own bids, ▲ bought</span><span><i class="key ask"></i>own asks, ▼ sold</span><span>filled: as maker, outline: as taker</span><span>on a line: several fills, from their lowest price to their highest</span></p>`;

function charts({ run }: ReportDocument, notes: readonly string[], hasLatency: boolean): string {
  const markets = run.markets.map(
    (symbol, place) => `<h2>${escaped(symbol)}</h2>\n${KEYS}\n<div id="market-${place}"></div>`,
  );
  return `<section>
${TOOLS}
<div id="pnl"></div>
${markets.join('\n')}
${hasLatency ? '<h2>Latency</h2>\n<div id="latency"></div>' : ''}
${notes.map((note) => `<p class="soft">${escaped(note)}</p>`).join('\n')}
</section>`;
}
