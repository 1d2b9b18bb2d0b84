//! The look of the page.

/// Style sheet.
pub(super) const STYLE: &str = "\
:root{color-scheme:light dark;--back:#fff;--ink:#1b1f24;--soft:#5b6570;--line:#d5dae0;
  --card:#f6f8fa;--mark:#d55e00}
@media (prefers-color-scheme:dark){:root{--back:#14171b;--ink:#e4e8ec;--soft:#9aa5b1;
  --line:#343b44;--card:#1c2127;--mark:#e69f00}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:860px;margin:0 auto;padding:1rem}
h1{font-size:1.7rem;line-height:1.25;margin:.6rem 0}
h2{font-size:1.25rem;margin:2.2rem 0 .6rem;border-bottom:1px solid var(--line);
  padding-bottom:.25rem}
p{margin:.6rem 0;overflow-wrap:anywhere}
nav ul{margin:.4rem 0;padding-left:1.2rem}
a{color:inherit}
figure{margin:1.2rem 0}
figcaption{color:var(--soft);font-size:.95rem;margin:.4rem 0}
.wide{overflow-x:auto;border:1px solid var(--line);border-radius:6px;background:var(--card);
  padding:.5rem}
.wide:focus-visible{outline:2px solid var(--mark)}
svg{display:block;width:100%;min-width:500px;max-width:760px;height:auto;margin:0 auto;
  color:var(--ink)}
table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .5rem;border-bottom:1px solid var(--line);text-align:left;
  white-space:nowrap}
.number{text-align:right}
pre{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:6px;
  padding:.6rem;font-size:.9rem}
.warning{border-left:4px solid var(--mark);padding:.2rem .8rem;background:var(--card)}
@media print{.wide{border:0;background:none}svg{min-width:0}}
";
