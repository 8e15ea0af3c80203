/** @module The style of the page: light and dark after the system, one column on a phone, tables that scroll in their panels. */

/** The style sheet. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --back: #f4f5f7; --panel: #ffffff; --line: #d8dce2; --text: #1b1f24; --soft: #58626f;
  --grid: #e6e9ee; --mid: #59636f; --bid: #157343; --ask: #b52a23; --held: #6a3fa6; --held-fill: #6a3fa618; --use: #2456b8;
  --good: #157343; --bad: #b52a23; --warn: #8a5300; --good-back: #e3f4ea; --bad-back: #fbe7e5; --warn-back: #fdf1dd; --own: #eaf0fb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --panel: #1c2026; --line: #343a43; --text: #e6e9ed; --soft: #a3adb9;
    --grid: #2a3038; --mid: #aab3bf; --bid: #4cc38a; --ask: #f2766e; --held: #b794f4; --held-fill: #b794f422; --use: #7aa7ff;
    --good: #4cc38a; --bad: #f2766e; --warn: #f0b35c; --good-back: #173325; --bad-back: #3d211f; --warn-back: #38290f; --own: #232f45;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--back); color: var(--text); font: 14px/1.45 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
#page { max-width: 1560px; margin: 0 auto; padding: 16px 20px; }
h1 { font-size: 20px; margin: 0; } h2 { font-size: 15px; margin: 0 0 8px; } p { margin: 6px 0; }
.soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
small { font-size: 12px; color: var(--soft); } td small, li small { display: block; } small.bad { color: var(--bad); }
code { background: var(--back); border: 1px solid var(--line); border-radius: 4px; padding: 0 4px; }
header { display: grid; grid-template-columns: 1fr auto; gap: 2px 16px; align-items: center; }
header p { grid-column: 1; margin: 0; } .title { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.session { grid-column: 2; grid-row: 1 / span 2; display: flex; gap: 10px; align-items: center; }
.badge { padding: 2px 10px; border-radius: 999px; font-size: 13px; font-weight: 600; border: 1px solid currentColor; white-space: nowrap; }
.badge.good { background: var(--good-back); } .badge.bad { background: var(--bad-back); } .badge.warn { background: var(--warn-back); }
.badge.plain { color: var(--soft); background: var(--panel); }
button, select, input { font: inherit; color: var(--text); background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 5px 12px; min-height: 34px; }
button { cursor: pointer; } button:disabled { opacity: 0.5; cursor: default; }
button:focus-visible, select:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--use); outline-offset: 1px; }
button.grave { color: var(--bad); border-color: var(--bad); }
button.full { background: var(--use); border-color: var(--use); color: var(--panel); font-weight: 600; }
button.full.grave { background: var(--bad); border-color: var(--bad); color: var(--panel); }
button.link { border: 0; background: none; padding: 0; min-height: 0; color: var(--use); text-decoration: underline; }
button[aria-pressed=true] { border-color: var(--use); color: var(--use); font-weight: 600; }
.controls { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0; }
.banner { padding: 8px 12px; border-radius: 8px; border: 1px solid currentColor; margin: 0 0 8px; }
.banner.bad { background: var(--bad-back); } .banner.warn { background: var(--warn-back); } .banner.plain { background: var(--panel); color: var(--soft); }
main > .panel { margin-bottom: 12px; } main.old .cards, main.old .grid { opacity: 0.55; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(160px, 1fr)); gap: 10px; margin-bottom: 12px; }
.card, .panel { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; min-width: 0; }
.card { padding: 8px 12px; } .card span { color: var(--soft); font-size: 13px; } .card small { display: block; line-height: 1.3; }
.card b { display: block; font-size: 19px; line-height: 1.35; }
.grid { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 12px; margin-bottom: 12px; align-items: start; }
.grid.two { grid-template-columns: repeat(2, minmax(0, 1fr)); } .grid.one { grid-template-columns: minmax(0, 1fr); }
.stack { display: grid; gap: 12px; min-width: 0; } .panel { padding: 12px 14px; } .panel.wide { grid-column: span 2; }
.row { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; } .row h2 { margin: 0; }
.spans { margin-left: auto; display: flex; gap: 6px; } .spans button { padding: 2px 10px; min-height: 30px; font-size: 13px; }
.keys { font-size: 13px; color: var(--soft); } .keys span { margin-right: 14px; }
.key { display: inline-block; width: 18px; height: 3px; vertical-align: middle; margin: 0 6px 2px 0; border-radius: 2px; }
.key.bid { background: var(--bid); } .key.ask { background: var(--ask); } .key.mid { background: var(--mid); }
.charts { min-height: 480px; overflow: hidden; } .uplot { font-family: inherit; }
.u-legend { margin: 0; font-size: 12px; text-align: left; color: var(--soft); } .u-legend th { border: 0; padding: 0 4px 0 0; font-weight: 400; } .u-legend td { border: 0; padding: 0 12px 0 0; }
.u-legend .u-value { display: inline-block; min-width: 8ch; text-align: left; } .u-cursor-x, .u-cursor-y { border-color: var(--soft) !important; }
.facts { display: flex; flex-wrap: wrap; gap: 6px 26px; margin: 8px 0 0; } .facts dt { font-size: 12px; color: var(--soft); } .facts dd { margin: 0; font-weight: 600; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { padding: 4px 10px 4px 0; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; overflow-wrap: normal; }
th { color: var(--soft); font-weight: 500; } th:first-child, td:first-child, .words-table th, .words-table td { text-align: left; }
.parts td:first-child, .words-table td { white-space: normal; overflow-wrap: anywhere; min-width: 9ch; } th:last-child, td:last-child { padding-right: 0; }
tr.sum td { font-weight: 600; border-bottom: 0; }
td.bar { width: 26%; min-width: 70px; } td.bar small { text-align: right; }
.track { display: block; height: 8px; border-radius: 4px; background: var(--grid); overflow: hidden; margin-top: 5px; } .track.tall { height: 10px; margin: 8px 0; }
.track i { display: block; height: 100%; background: var(--mid); } .track i.good { background: var(--good); } .track i.bad { background: var(--bad); } .track i.warn { background: var(--warn); } .track i.use { background: var(--use); }
.book td { padding-top: 2px; padding-bottom: 2px; border-bottom: 0; } .book .bid td:first-child { color: var(--bid); } .book .ask td:first-child { color: var(--ask); }
.book .own td { background: var(--own); font-weight: 600; } .book .gap td { text-align: center; color: var(--soft); border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.checks { list-style: none; margin: 8px 0 0; padding: 0; } .checks li { display: flex; gap: 10px; padding: 2px 0; } .checks b { flex: 0 0 54px; white-space: nowrap; } .checks span { color: var(--text); }
div.tall { max-height: 420px; overflow: auto; } .entries { list-style: none; margin: 0; padding: 0; max-height: 320px; overflow: auto; font-size: 13px; }
.entries li { display: flex; gap: 10px; padding: 3px 0; border-bottom: 1px solid var(--line); } .entries time { color: var(--soft); flex: 0 0 auto; } .entries span { min-width: 0; } .entries b { font-weight: 600; } .entries li small { display: inline; }
.entries .warn b { color: var(--warn); } .entries .error b { color: var(--bad); } .entries .warn span, .entries .warn { color: inherit; }
details summary { cursor: pointer; color: var(--soft); font-size: 12px; }
dialog { width: min(520px, calc(100vw - 24px)); border: 1px solid var(--line); border-radius: 10px; background: var(--panel); color: var(--text); padding: 18px 20px; } dialog::backdrop { background: rgb(0 0 0 / 0.45); }
dialog.wide { width: min(860px, calc(100vw - 24px)); } dialog code { overflow-wrap: anywhere; } dialog h2 { font-size: 18px; overflow-wrap: anywhere; } label { display: block; margin: 10px 0; color: var(--soft); font-size: 13px; } label select, label input { display: block; width: 100%; margin-top: 4px; font-size: 14px; }
label.check { color: var(--text); font-size: 14px; } label.check input { display: inline-block; width: auto; min-height: 0; margin: 0 6px 0 0; vertical-align: middle; }
.buttons { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 8px; margin-top: 16px; } .answer { border: 1px solid currentColor; border-radius: 8px; padding: 8px 12px; }
.locked { max-width: 520px; margin: 8vh auto 0; } .locked .panel { padding: 20px 24px; } .locked .full { margin-top: 4px; }
footer { margin-top: 8px; color: var(--soft); font-size: 12px; }
@media (max-width: 1150px) { .grid, .grid.two { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media (max-width: 760px) {
  #page { padding: 12px; } header { grid-template-columns: 1fr; } .session { grid-column: 1; grid-row: auto; justify-content: space-between; }
  .grid, .grid.two, .grid.one { grid-template-columns: minmax(0, 1fr); } .panel.wide { grid-column: auto; } .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); } .spans { margin-left: 0; }
  .controls { position: sticky; top: 0; z-index: 5; background: var(--back); padding: 6px 0; margin: 6px 0; flex-wrap: nowrap; overflow-x: auto; } .controls button { flex: 0 0 auto; }
}
`;
