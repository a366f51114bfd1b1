import { documentOf, escapeHtml, type PageSettings } from './document.ts'

/** A page as people wrote them before there were bundlers: one line of HTML brings everything. */
export const plainPage = ({ dsn, release }: PageSettings): string => {
  const script = `${new URL(dsn).origin}/sdk.js`
  const tag = `<script src="${escapeHtml(script)}" data-dsn="${escapeHtml(dsn)}" data-release="${escapeHtml(release)}" data-feedback async></script>`
  return documentOf({
    title: 'Without a bundler · Kettle & Clay',
    head: `${tag}
<style>
  :root { color-scheme: light dark; font: 17px/1.6 Georgia, serif; }
  body { max-width: 44rem; margin: 4rem auto; padding: 0 1.25rem; }
  pre { overflow-x: auto; padding: 1rem; border-radius: .5rem; background: color-mix(in srgb, currentColor 8%, transparent); font-size: .8rem; }
  button { font: inherit; padding: .4rem .9rem; margin-inline-end: .4rem; }
</style>`,
    body: `<p><a href="/workbench">Kettle &amp; Clay</a></p>
<h1>Without a bundler</h1>
<p>This page has no build. One line brings error reports and the feedback button:</p>
<pre><code>${escapeHtml(tag)}</code></pre>
<p>
  <button onclick="nobodyWroteThis()">Throw an error</button>
  <button onclick="Promise.reject(new Error('The plain page broke a promise'))">Reject a promise</button>
  <button onclick="Firsthand.captureMessage('The plain page says hello')">Send a message</button>
</p>`,
  })
}
