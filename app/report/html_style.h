// The style sheet of the HTML report. Tests: tests/unit/report/written_reports_test.cpp

#pragma once

#include <string_view>

namespace lanescope::report {

inline constexpr std::string_view kHtmlStyle = R"(
:root { color-scheme: light dark; --ground: #ffffff; --raised: #f5f6f8; --line: #d5d9e0; --ink: #1b1f27;
  --dim: #59616f; --bad: #b3261e; --good: #1c6e35; --link: #1d4fb8; --code: #f0f1f4; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171d; --raised: #1d2129; --line: #363c48;
  --ink: #e8eaef; --dim: #a5adbb; --bad: #ff9b91; --good: #7fd394; --link: #9dbcff; --code: #252a34; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem 1rem 3rem; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 0.5rem; }
p { margin: 0.4rem 0; }
a { color: var(--link); }
code { font: 0.9em/1.45 "JetBrains Mono", ui-monospace, "DejaVu Sans Mono", monospace; background: var(--code);
  padding: 0.1em 0.3em; border-radius: 3px; white-space: pre-wrap; unicode-bidi: isolate; }
.dim { color: var(--dim); }
.bad { color: var(--bad); font-weight: 600; }
.good { color: var(--good); font-weight: 600; }
.badge { display: inline-block; border: 1px solid var(--dim); border-radius: 1em; color: var(--dim);
  font-size: 0.75rem; line-height: 1.4; padding: 0 0.6em; white-space: nowrap; }
ol.findings { list-style: none; margin: 0; padding: 0; }
ol.findings > li { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; margin: 0.6rem 0;
  padding: 0.6rem 0.9rem; break-inside: avoid; }
ol.findings > li.hazard { border-left: 4px solid var(--bad); }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
th { color: var(--dim); font-size: 0.85rem; font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
th { overflow-wrap: break-word; }
td:first-child, td:last-child:not(.number) { min-width: 6.5rem; }
td.short { min-width: 7rem; }
figure { margin: 0.5rem 0; break-inside: avoid; }
figure svg { display: block; width: 100%; max-width: 62rem; height: auto; border: 1px solid var(--line);
  border-radius: 6px; }
figcaption { color: var(--dim); font-size: 0.9rem; }
.on-dark { display: none; }
@media (prefers-color-scheme: dark) { .on-light { display: none; } .on-dark { display: block; } }
footer { border-top: 1px solid var(--line); color: var(--dim); font-size: 0.9rem; margin-top: 3rem; }
@media (max-width: 640px) {
  figure div { overflow-x: auto; }
  figure svg { width: 44rem; max-width: none; }
  thead { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; }
  table, tbody, tr, td { display: block; width: 100%; }
  tr { border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  td, td.number, td.short, td:first-child, td:last-child:not(.number) { border: 0; min-width: 0;
    padding: 0.1rem 0; text-align: left; white-space: normal; }
  td[data-label]:not(:empty)::before { color: var(--dim); content: attr(data-label) ": "; font-size: 0.85rem; }
}
@media print {
  :root { color-scheme: light; --ground: #ffffff; --raised: #ffffff; --line: #bbbbbb; --ink: #000000;
    --dim: #444444; --bad: #9c1c14; --good: #14562a; --link: #000000; --code: #f2f2f2; }
  .on-light { display: block; } .on-dark { display: none; }
  body { font-size: 10pt; max-width: none; padding: 0; }
  h2 { break-after: avoid; } h3 { break-after: avoid; } tr { break-inside: avoid; }
}
)";

}  // namespace lanescope::report
