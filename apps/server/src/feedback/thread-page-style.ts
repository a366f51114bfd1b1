import { createHash } from 'node:crypto'

/** In the page itself and allowed by its hash, so that nothing has to be fetched with the secret address. */
export const THREAD_PAGE_STYLE = `
:root{color-scheme:light dark;--text:#1c1b19;--muted:#5c5a54;--page:#faf9f7;--card:#fff;--own:#e0f0ee;--line:#e5e3dd;--accent:#0b6e69;--on:#fff;--bad:#a8261a;--good:#1d6b3a}
@media (prefers-color-scheme:dark){:root{--text:#ecebe6;--muted:#a9a69d;--page:#131312;--card:#1a1a18;--own:#16302d;--line:#33322e;--accent:#4fc3b8;--on:#0c1a19;--bad:#ff9c90;--good:#7fd8a0}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:2rem 1rem 3rem}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 1.25rem;overflow-wrap:anywhere}
.site{color:var(--muted);margin:-1rem 0 1.25rem;overflow-wrap:anywhere}
li img{display:block;max-width:100%;height:auto;margin-top:.75rem;border:1px solid var(--line);border-radius:6px}
ol{list-style:none;margin:0;padding:0;display:grid;gap:.75rem}
li{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.75rem 1rem}
li.own{background:var(--own);margin-inline-start:2rem}
li.team{margin-inline-end:2rem}
p{margin:0}
.by{font-size:.875rem;color:var(--muted);display:flex;flex-wrap:wrap;gap:.25rem .75rem}
.by b{color:var(--text)}
.text{white-space:pre-wrap;overflow-wrap:anywhere;margin-top:.25rem}
.note,.foot{color:var(--muted);font-size:.875rem;margin-top:1rem}
.done,.problem{margin-top:1rem;font-weight:600}
.done{color:var(--good)}
.problem{color:var(--bad)}
form{margin-top:1.5rem;display:grid;gap:.5rem;justify-items:start}
label{font-weight:600}
textarea{width:100%;font:inherit;color:inherit;background:var(--card);border:1px solid var(--muted);border-radius:8px;padding:.5rem .75rem;resize:vertical}
button{font:inherit;font-weight:600;min-height:44px;padding:.5rem 1.25rem;border:0;border-radius:8px;background:var(--accent);color:var(--on);cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`

export const THREAD_PAGE_STYLE_HASH = `sha256-${createHash('sha256').update(THREAD_PAGE_STYLE).digest('base64')}`
