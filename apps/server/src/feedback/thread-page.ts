import { readProjectSettings } from '../accounts/index.ts'
import type { Clock } from '../lib/clock.ts'
import { LIMITS } from '../limits.ts'
import { fill, reporterTexts } from './reporter-texts.ts'
import type { ReporterTexts } from './reporter-texts.ts'
import { THREAD_PAGE_STYLE, THREAD_PAGE_STYLE_HASH } from './thread-page-style.ts'
import { readThreadToken } from './thread-link.ts'
import { cleanText } from './text.ts'
import type { Thread, Threads } from './threads.store.ts'

/**
 * The private page of a report: a reporter reads the team's answers and writes back, without an account. Plain HTML without
 * scripts; whoever has the address may read and write, so it is not indexed, cached or told to other sites.
 */

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'content-security-policy': `default-src 'none'; style-src '${THREAD_PAGE_STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character)

const FORM_BYTES = 4 * LIMITS.FEEDBACK_REPLY_CHARS

/** What happened to an answer, said above the form. */
type Said = { readonly kind: 'done' | 'problem'; readonly text: string; readonly draft: string } | null

const document = (texts: ReporterTexts, title: string, body: string): string => `<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<style>${THREAD_PAGE_STYLE}</style>
</head>
<body><main>
${body}
</main></body>
</html>
`

const when = (at: number, texts: ReporterTexts): string => {
  const text = new Intl.DateTimeFormat(texts.language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return `<time datetime="${new Date(at).toISOString()}">${escape(text.format(at))} UTC</time>`
}

const threadHtml = (thread: Thread, texts: ReporterTexts, said: Said): string => {
  const { reply } = readProjectSettings(thread.settings).feedback
  const project = reply.fromName === '' ? thread.projectName : reply.fromName
  const title = fill(texts.pageTitle, { project })
  const message = (author: string, kind: string, at: number, text: string): string =>
    `<li class="${kind}"><p class="by"><b><bdi>${escape(author)}</bdi></b> ${when(at, texts)}</p><p class="text" dir="auto">${escape(text)}</p></li>`
  const messages = thread.messages.map(({ author, createdAt, text }) =>
    // Who of the team wrote is the team's affair.
    author === 'reporter' ? message(texts.you, 'own', createdAt, text) : message(project, 'team', createdAt, text),
  )
  const closed = thread.status === 'resolved' || thread.status === 'archived'
  const body = [
    `<h1>${escape(title)}</h1>`,
    `<ol>${message(texts.you, 'own', thread.createdAt, thread.message)}${messages.join('')}</ol>`,
    thread.messages.length === 0 ? `<p class="note">${escape(texts.noAnswerYet)}</p>` : '',
    closed ? `<p class="note">${escape(texts.closed)}</p>` : '',
    said === null
      ? ''
      : `<p class="${said.kind}" role="${said.kind === 'done' ? 'status' : 'alert'}">${escape(said.text)}</p>`,
    `<form method="post" accept-charset="utf-8"><label for="text">${escape(texts.answerLabel)}</label>`,
    `<textarea id="text" name="text" rows="5" required dir="auto" maxlength="${LIMITS.FEEDBACK_REPLY_CHARS}">${escape(said?.draft ?? '')}</textarea>`,
    `<button type="submit">${escape(texts.send)}</button></form>`,
    `<p class="foot">${escape(texts.private)}</p>`,
  ]
  return document(texts, title, body.join('\n'))
}

const page = (html: string, status: number): Response => new Response(html, { status, headers: HEADERS })

const readForm = async (request: Request): Promise<string | null> => {
  const type = request.headers.get('content-type') ?? ''
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (!type.startsWith('application/x-www-form-urlencoded') || !(length <= FORM_BYTES)) return null
  return new URLSearchParams(await request.text()).get('text')
}

export const createThreadPage = ({
  threads,
  clock,
  answered,
}: {
  readonly threads: Pick<Threads, 'byToken' | 'answer'>
  readonly clock: Clock
  /** Told when a reporter has written; for live updates. */
  readonly answered: (thread: Pick<Thread, 'organizationId' | 'projectId'>) => void
}) => {
  return async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const token = readThreadToken(url.pathname.split('/')[2] ?? '')
    const accepted = (request.headers.get('accept-language') ?? '').split(',')
    const thread = token === null ? null : await threads.byToken(token)
    if (token === null || thread === null || !readProjectSettings(thread.settings).feedback.reply.page) {
      const texts = reporterTexts(accepted)
      const body = `<h1>${escape(texts.notFoundTitle)}</h1><p>${escape(texts.notFound)}</p>`
      return page(document(texts, texts.notFoundTitle, body), 404)
    }
    const texts = reporterTexts([thread.locale, ...accepted])
    if (request.method !== 'POST') {
      const sent = url.searchParams.has('sent') && thread.messages.at(-1)?.author === 'reporter'
      return page(threadHtml(thread, texts, sent ? { kind: 'done', text: texts.sent, draft: '' } : null), 200)
    }
    const raw = await readForm(request)
    const text = cleanText(raw ?? '', LIMITS.FEEDBACK_REPLY_CHARS)
    if (text === '')
      return page(threadHtml(thread, texts, { kind: 'problem', text: texts.emptyAnswer, draft: '' }), 400)
    const result = await threads.answer(token, text, clock.now())
    if (result === 'ok') {
      answered(thread)
      return new Response(null, { status: 303, headers: { ...HEADERS, location: `${url.pathname}?sent` } })
    }
    const problem = result === 'full' ? texts.full : texts.tooMany
    return page(threadHtml(thread, texts, { kind: 'problem', text: problem, draft: text }), 429)
  }
}
