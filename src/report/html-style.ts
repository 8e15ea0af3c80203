/** @module The style of a report's page: light and dark after the system, tables that scroll on narrow screens. */

/** The style sheet. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --back: #ffffff; --panel: #f6f7f9; --line: #d8dce2; --text: #1b1f24; --soft: #5b6572;
  --grid: #e6e9ee; --mid: #59636f; --bid: #1a7f4b; --ask: #c2362f; --equity: #2456b8; --fall: #c2362f;
  --held: #7a4fb5; --spread: #1a7f4b; --fees: #b3570a; --funding: #0f7f8c; --maker: #2456b8; --taker: #b3570a; --good: #1a7f4b; --bad: #c2362f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --panel: #1c2026; --line: #343a43; --text: #e6e9ed; --soft: #9aa4b1;
    --grid: #282d35; --mid: #aab3bf; --bid: #4cc38a; --ask: #f2766e; --equity: #7aa7ff; --fall: #f2766e;
    --held: #b794f4; --spread: #4cc38a; --fees: #f0a35c; --funding: #4fc3d1; --maker: #7aa7ff; --taker: #f0a35c; --good: #4cc38a; --bad: #f2766e;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 24px; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums;
}
main, header, footer { max-width: 1240px; margin: 0 auto; }
h1 { font-size: 22px; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 32px 0 8px; }
h3 { font-size: 15px; margin: 20px 0 6px; }
p { margin: 6px 0; }
.soft { color: var(--soft); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(170px, 1fr)); gap: 10px; margin: 18px 0; }
.card { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; min-width: 0; }
.card b { display: block; font-size: 19px; font-weight: 600; overflow-wrap: anywhere; line-height: 1.3; }
.card span { color: var(--soft); font-size: 13px; }
.scroll { overflow-x: auto; margin-bottom: 10px; }
table { border-collapse: collapse; font-size: 14px; }
th, td { padding: 4px 14px 4px 0; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; vertical-align: bottom; }
.name, .words td { text-align: left; }
.words td { white-space: normal; overflow-wrap: anywhere; }
.words td:first-child { white-space: nowrap; color: var(--soft); vertical-align: top; }
.tools { position: sticky; top: 0; z-index: 20; background: var(--back); padding: 8px 0; display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
button {
  font: inherit; font-size: 14px; padding: 4px 12px; min-height: 34px; border: 1px solid var(--line); border-radius: 6px;
  background: var(--panel); color: var(--text); cursor: pointer;
}
button:focus-visible { outline: 2px solid var(--equity); outline-offset: 1px; }
/* The charts of a market are shown below its heading and the bar of buttons, which is higher on a phone. */
[id^="market-"] { scroll-margin-top: 130px; }
@media (max-width: 700px) { [id^="market-"] { scroll-margin-top: 230px; } }
.chart { position: relative; margin-bottom: 6px; }
.chart .title { font-size: 14px; color: var(--soft); margin: 10px 0 2px; }
.uplot { font-family: inherit; }
.u-legend { font-size: 13px; text-align: left; }
.u-legend th { border: 0; padding: 0 4px 0 0; }
.u-legend td { border: 0; padding: 0 14px 0 0; }
.u-legend .u-value { min-width: 8ch; display: inline-block; text-align: left; }
.u-select { background: color-mix(in srgb, var(--equity) 18%, transparent); }
.u-cursor-x, .u-cursor-y { border-color: var(--soft) !important; }
.tip {
  position: absolute; z-index: 30; pointer-events: none; display: none; max-width: 280px; padding: 6px 9px; font-size: 13px;
  background: var(--panel); color: var(--text); border: 1px solid var(--line); border-radius: 6px;
  box-shadow: 0 2px 8px rgb(0 0 0 / 0.2); white-space: pre-line;
}
.key { display: inline-block; width: 18px; height: 3px; vertical-align: middle; margin: 0 6px 2px 0; border-radius: 2px; }
.key.bid { background: var(--bid); } .key.ask { background: var(--ask); } .key.mid { background: var(--mid); }
.keys span { margin-right: 16px; white-space: nowrap; }
.keys { font-size: 13px; color: var(--soft); }
svg.still { display: block; width: 100%; min-width: 560px; max-width: 1240px; height: auto; }
.still text { font-size: 11px; fill: var(--soft); } .still .grid { stroke: var(--line); fill: none; }
.still .line { fill: none; stroke-width: 1.5; } .still .point { fill: var(--soft); fill-opacity: 0.55; }
.still .front { fill: var(--equity); } .still polyline.weak { fill: none; stroke: var(--soft); stroke-opacity: 0.3; }
.still .band path { stroke: var(--equity); stroke-width: 1.5; fill: none; } .still .band rect { fill: var(--equity); fill-opacity: 0.35; }
.still .band .median { stroke-width: 3; } .still .actual { stroke: var(--taker); stroke-width: 1.5; stroke-dasharray: 5 4; fill: none; }
.still polyline.strong { fill: none; stroke: var(--equity); stroke-width: 2; }
details { margin: 10px 0; } summary { cursor: pointer; color: var(--soft); }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); gap: 14px; }
figure { margin: 0; min-width: 0; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; }
figcaption { font-size: 14px; margin-bottom: 6px; } figure p { font-size: 13px; margin: 4px 0 0; }
.bars { display: block; width: 100%; height: 96px; fill: var(--equity); border-bottom: 1px solid var(--line); }
.bars rect:hover { fill: var(--held); }
.ends { display: flex; justify-content: space-between; font-size: 12px; }
.tall { max-height: 420px; overflow: auto; } .tall th { position: sticky; top: 0; background: var(--back); }
#fill-rows tbody tr { cursor: pointer; } #fill-rows tbody tr:hover { background: var(--panel); }
nav { font-size: 13px; margin: 6px 0 0; } nav a { color: var(--equity); text-decoration: none; margin-right: 14px; white-space: nowrap; }
h2 { scroll-margin-top: 60px; } .u-over { touch-action: pan-y; }
footer { margin-top: 36px; padding-top: 10px; border-top: 1px solid var(--line); font-size: 13px; color: var(--soft); }
@media (max-width: 600px) { body { padding: 14px; } .hint { display: none; } .keys span { white-space: normal; } .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); } .card b { font-size: 16px; } }
@media print {
  /* Paper has no use for buttons, and no room for the list of fills, which fills.csv.gz holds. */
  body { padding: 0; } .tools, .screen, nav { display: none; } h2, h3 { break-after: avoid; } .chart, figure, tr { break-inside: avoid; }
  .scroll, .tall { overflow: visible; max-height: none; } table { font-size: 11px; } th, td { padding-right: 8px; }
}
`;
