// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/page/page.h>

namespace millrace::tools {

std::string page_style() {
  return R"(:root{--link:#0b57a4;--band:#f4f5f7;color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){:root{--link:#8ab8f5;--band:#1f242a}}
*{box-sizing:border-box}
html{font:100%/1.5 system-ui,sans-serif;background:var(--paper);color:var(--ink)}
body{max-width:80rem;margin:0 auto;padding:0 1rem 2rem}
h1{font-size:1.8rem;line-height:1.2;margin:1.5rem 0 .3rem}
h2{font-size:1.4rem;margin:2.2rem 0 .6rem;padding-top:.4rem;border-top:1px solid var(--grid)}
h3{font-size:1.12rem;margin:1.6rem 0 .5rem}
p{max-width:46rem;margin:.5rem 0}
.subtitle,footer,figcaption{color:var(--muted)}
footer{margin-top:2rem;font-size:.875rem}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px}
main:focus{outline:none}
.skip{position:absolute;left:-100rem;background:var(--paper);padding:.5rem 1rem}
.skip:focus{left:1rem;top:.5rem}
nav ul{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;list-style:none;padding:0;margin:1rem 0}
nav a{display:inline-block;padding:.2rem 0}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,23rem),1fr));gap:1.5rem}
figure{margin:0;min-width:0;max-width:34rem}
figcaption{font-size:.875rem;margin-top:.4rem}
details{font-size:.875rem;margin-top:.4rem}
summary{cursor:pointer;padding:.25rem 0;color:var(--link)}
.scroll{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.3rem 0;max-width:min(46rem,100vw - 2rem)}
details caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:.3rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
th{font-weight:600}
tbody th{font-weight:400;position:sticky;left:0;background:var(--paper)}
thead th{background:var(--band);white-space:nowrap}
.number{text-align:right;white-space:nowrap}
@media print{
@page{margin:15mm}
html{font-size:10pt}
body{max-width:none;padding:0}
.skip,nav{display:none}
h2,h3{break-after:avoid}
figure,tr{break-inside:avoid}
.figures{grid-template-columns:1fr 1fr}
.scroll{overflow:visible}
table{font-size:8pt}
th,td{padding:.15rem .35rem}
thead th{white-space:normal}
tbody th{position:static}
summary{display:none}
}
)";
}

}  // namespace millrace::tools
