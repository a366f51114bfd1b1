import { escapeHtml } from '../lib/escape-html.ts'
import type { ReporterTexts } from './reporter-texts.ts'
import { THREAD_PAGE_SCRIPT, THREAD_PAGE_SCRIPT_HASH } from './thread-page-script.ts'
import { THREAD_PAGE_STYLE, THREAD_PAGE_STYLE_HASH } from './thread-page-style.ts'

/**
 * What pages for reporters have in common: plain HTML with one script, which only tells the times; whoever has the address may
 * read and write, so it is not indexed, cached or told to other sites.
 */

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'content-security-policy': `default-src 'none'; img-src 'self'; style-src '${THREAD_PAGE_STYLE_HASH}'; script-src '${THREAD_PAGE_SCRIPT_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
}

const document = (texts: ReporterTexts, title: string, body: string): string => `<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${escapeHtml(title)}</title>
<style>${THREAD_PAGE_STYLE}</style>
</head>
<body><main>
${body}
</main><script>${THREAD_PAGE_SCRIPT}</script></body>
</html>
`

/** @param body HTML, escaped already */
export const reporterPage = (texts: ReporterTexts, title: string, body: string, status: number): Response =>
  new Response(document(texts, title, body), { status, headers: PAGE_HEADERS })

export const nothingHere = (texts: ReporterTexts): Response =>
  reporterPage(
    texts,
    texts.notFoundTitle,
    `<h1>${escapeHtml(texts.notFoundTitle)}</h1><p>${escapeHtml(texts.notFound)}</p>`,
    404,
  )

/** Languages that the browser of whoever asks prefers, first the dearest. */
export const acceptedLanguages = (request: Request): readonly string[] =>
  (request.headers.get('accept-language') ?? '').split(',')
