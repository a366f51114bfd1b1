import { readProjectSettings } from '../accounts/index.ts'
import { createFilesUnderWay, heldBytes } from '../http/index.ts'
import { onBehalfOf } from '../lib/caller-context.ts'
import type { Clock } from '../lib/clock.ts'
import { fileName, mediaType } from '../kept-items/index.ts'
import type { AttachmentRecord, AttachmentView } from '../kept-items/index.ts'
import { isPicture } from './feedback-json.ts'
import { escapeHtml } from '../lib/escape-html.ts'
import { acceptedLanguages, nothingHere, PAGE_HEADERS, reporterPage } from './reporter-page.ts'
import { LIMITS } from './limits.ts'
import { fill, reporterTexts } from './reporter-texts.ts'
import type { ReporterTexts } from './reporter-texts.ts'
import { readThreadToken, THREAD_PATH } from './thread-link.ts'
import { cleanText } from './text.ts'
import type { Thread } from './threads.store.ts'
import type { Threads } from './ledger/threads.ts'

/** The private page of a report: a reporter reads the team's answers and writes back, without an account. */

const FORM_BYTES = 4 * LIMITS.FEEDBACK_REPLY_CHARS

/** What happened to an answer, said above the form. */
type Said = { readonly kind: 'done' | 'problem'; readonly text: string; readonly draft: string } | null

const when = (at: number, texts: ReporterTexts): string => {
  const text = new Intl.DateTimeFormat(texts.language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return `<time datetime="${new Date(at).toISOString()}">${escapeHtml(text.format(at))} UTC</time>`
}

const formHtml = (texts: ReporterTexts, said: Said): string =>
  [
    `<form method="post" accept-charset="utf-8"><label for="text">${escapeHtml(texts.answerLabel)}</label>`,
    `<textarea id="text" name="text" rows="5" required dir="auto" maxlength="${LIMITS.FEEDBACK_REPLY_CHARS}">${escapeHtml(said?.draft ?? '')}</textarea>`,
    `<button type="submit">${escapeHtml(texts.send)}</button></form>`,
  ].join('\n')

/** Host and path of the page that the report is about: which site it was, in words that its visitors know. */
const siteOf = (url: string): string => {
  const parsed = /^https?:/i.test(url) ? URL.parse(url) : null
  return parsed === null ? '' : `${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}`
}

type Pictures = readonly { readonly src: string; readonly name: string }[]

/** @param pictures where the pictures of the report are, and what they are called */
const threadHtml = (
  thread: Thread,
  texts: ReporterTexts,
  said: Said,
  pictures: Pictures,
): { readonly title: string; readonly body: string } => {
  const { reply } = readProjectSettings(thread.settings).feedback
  const project = reply.fromName === '' ? thread.projectName : reply.fromName
  const title = fill(texts.pageTitle, { project })
  const message = (author: string, kind: string, at: number, text: string, more = ''): string =>
    `<li class="${kind}"><p class="by"><b><bdi>${escapeHtml(author)}</bdi></b> ${when(at, texts)}</p><p class="text" dir="auto">${escapeHtml(text)}</p>${more}</li>`
  const messages = thread.messages.map(({ author, createdAt, text }) =>
    // Who of the team wrote is the team's affair.
    author === 'reporter' ? message(texts.you, 'own', createdAt, text) : message(project, 'team', createdAt, text),
  )
  const site = siteOf(thread.url)
  const images = pictures.map(
    ({ src, name }) => `<img src="${escapeHtml(src)}" alt="${escapeHtml(name)}" loading="lazy">`,
  )
  const closed = thread.status === 'resolved' || thread.status === 'archived'
  const body = [
    `<h1>${escapeHtml(title)}</h1>`,
    site === '' ? '' : `<p class="site"><bdi>${escapeHtml(site)}</bdi></p>`,
    `<ol>${message(texts.you, 'own', thread.createdAt, thread.message, images.join(''))}${messages.join('')}</ol>`,
    thread.messages.length === 0 ? `<p class="note">${escapeHtml(texts.noAnswerYet)}</p>` : '',
    closed ? `<p class="note">${escapeHtml(texts.closed)}</p>` : '',
    said === null
      ? ''
      : `<p class="${said.kind}" role="${said.kind === 'done' ? 'status' : 'alert'}">${escapeHtml(said.text)}</p>`,
    // Without a question nobody knows what an answer would be; a closed report is opened again by one.
    wasTold(thread) && said === null ? stillHtml(texts) : '',
    thread.messages.length > 0 || closed || said !== null ? formHtml(texts, said) : '',
    `<p class="foot">${escapeHtml(texts.private)}</p>`,
  ]
  return { title, body: body.join('\n') }
}

/** They were told that it is repaired, and have not written since. */
const wasTold = ({ messages }: Thread): boolean =>
  messages.findLast(({ author }) => author !== 'agent')?.author === 'system'

const stillHtml = (texts: ReporterTexts): string =>
  `<form method="post"><p class="note">${escapeHtml(texts.stillQuestion)}</p><button type="submit" name="still" value="1">${escapeHtml(texts.stillHappens)}</button></form>`

const readForm = async (request: Request): Promise<URLSearchParams | null> => {
  const type = request.headers.get('content-type') ?? ''
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (!type.startsWith('application/x-www-form-urlencoded') || !(length <= FORM_BYTES)) return null
  return new URLSearchParams(await request.text())
}

/** Pictures of a report on its page, and the files among which they are looked for. */
const PICTURES = 5
const FIRST_FILES = { limit: 20, offset: 0 }

/** Whoever has the address of a page may ask for it without end: together they have the turns of one caller. */
const reportersOf = ({ organizationId }: Thread) => ({ organizationId, caller: 'reporters' })

export const createThreadPage = ({
  threads,
  attachments,
  clock,
  answered,
  stillHappens,
}: {
  readonly attachments: Pick<AttachmentView, 'list'>
  readonly threads: Pick<Threads, 'byToken' | 'answer'>
  readonly clock: Clock
  /** Told when a reporter has written; for live updates. */
  readonly answered: (thread: Pick<Thread, 'organizationId' | 'projectId'>) => void
  /** Opens the issue of the report again. */
  readonly stillHappens: (token: string) => Promise<void>
}) => {
  const show = (thread: Thread, texts: ReporterTexts, said: Said, shown: Pictures, status: number): Response => {
    const { title, body } = threadHtml(thread, texts, said, shown)
    return reporterPage(texts, title, body, status)
  }
  return async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const token = readThreadToken(url.pathname.split('/')[2] ?? '')
    const accepted = acceptedLanguages(request)
    const thread = token === null ? null : await threads.byToken(token)
    if (token === null || thread === null || !readProjectSettings(thread.settings).feedback.reply.page) {
      return nothingHere(reporterTexts(accepted))
    }
    const texts = reporterTexts([thread.locale, ...accepted])
    const files =
      thread.attachments === 0 ? [] : await onBehalfOf(reportersOf(thread), () => attachments.list(thread, FIRST_FILES))
    const pictures = files.filter(isPicture)
    const shown = pictures.slice(0, PICTURES).map((record) => ({
      src: `${THREAD_PATH}${token}/${record.id}`,
      name: fileName(record),
    }))
    if (request.method !== 'POST') {
      const sent = url.searchParams.has('sent') && thread.messages.at(-1)?.author === 'reporter'
      const done = url.searchParams.get('sent') === 'still' ? texts.stillSent : texts.sent
      return show(thread, texts, sent ? { kind: 'done', text: done, draft: '' } : null, shown, 200)
    }
    const form = await readForm(request)
    const still = form?.get('still') === '1' && wasTold(thread)
    const text = still ? texts.stillHappens : cleanText(form?.get('text') ?? '', LIMITS.FEEDBACK_REPLY_CHARS)
    if (text === '') return show(thread, texts, { kind: 'problem', text: texts.emptyAnswer, draft: '' }, shown, 400)
    // First: whoever presses the button again after a failure finds it done.
    if (still) await stillHappens(token)
    const result = await threads.answer(token, text, clock.now())
    if (result === 'ok') {
      answered(thread)
      const location = `${url.pathname}?sent${still ? '=still' : ''}`
      return new Response(null, { status: 303, headers: { ...PAGE_HEADERS, location } })
    }
    const problem = result === 'full' ? texts.full : texts.tooMany
    return show(thread, texts, { kind: 'problem', text: problem, draft: text }, shown, 429)
  }
}

/** A picture of a report, for whoever has the address of its page: `/f/<token>/<id of the attachment>`. */
export const createThreadPicture = ({
  threads,
  attachments,
}: {
  readonly threads: Pick<Threads, 'byToken'>
  readonly attachments: Pick<AttachmentView, 'find' | 'content'>
}) => {
  const files = createFilesUnderWay()
  const nothing = (): Response => new Response('Nothing here.', { status: 404, headers: PLAIN_HEADERS })

  const send = async (thread: Thread, id: string): Promise<Response> => {
    const record = await attachments.find(thread, id)
    if (record === null || !isPicture(record)) return nothing()
    // A stranger sent it, and strangers ask for it, as often as they like.
    const place = files.take(`organization:${thread.organizationId}`, heldBytes(record.bytes))
    const bytes = await attachments.content(thread, id).catch((error: unknown) => {
      place.release()
      throw error
    })
    if (bytes !== null) return place.send(bytes, pictureHeaders(record))
    place.release()
    return nothing()
  }

  return async (request: Request): Promise<Response> => {
    const [, , given = '', id = ''] = new URL(request.url).pathname.split('/')
    const token = readThreadToken(given)
    const thread = token === null ? null : await threads.byToken(token)
    const isOpen = thread !== null && readProjectSettings(thread.settings).feedback.reply.page
    if (!isOpen || !/^[0-9a-f]{32}$/.test(id)) return nothing()
    return onBehalfOf(reportersOf(thread), () => send(thread, id))
  }
}

const PLAIN_HEADERS = { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' }

/** Painted by the page, and nothing else: opened alone it runs nothing. */
const pictureHeaders = (record: AttachmentRecord): Record<string, string> => ({
  ...PAGE_HEADERS,
  'content-type': mediaType(record),
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
})
