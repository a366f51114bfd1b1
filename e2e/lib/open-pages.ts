import type { Page, Request } from 'playwright-core'

/** A page of a failed test says no more than this of its text. */
const TEXT_CHARS = 2500
const TEXT_MS = 5000
/** What lies over the page has room of its own: a long list behind it would leave none. */
const OVER_THE_PAGE = '[role=dialog], [role=alertdialog], [role=menu], [role=alert]'
const OVER_CHARS = 800
/** Of requests without an answer, the first; of those that went wrong, the last. */
const REQUESTS_SAID = 10

interface Traffic {
  /** Since when. */
  readonly waiting: Map<Request, number>
  readonly wentWrong: string[]
}

/** Pages that tests have open, with what they still wait for and what they were refused. */
const open = new Map<Page, Traffic>()

export const noteOpenPage = (page: Page): void => {
  const waiting = new Map<Request, number>()
  const wentWrong: string[] = []
  const noteWrong = (request: Request, how: string): void => {
    wentWrong.push(`${request.method()} ${request.url()} ${how}`)
    if (wentWrong.length > REQUESTS_SAID) wentWrong.shift()
  }
  open.set(page, { waiting, wentWrong })
  page.on('request', (request) => waiting.set(request, performance.now()))
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => {
    waiting.delete(request)
    noteWrong(request, request.failure()?.errorText ?? 'failed')
  })
  page.on('response', (response) => {
    if (response.status() >= 400) noteWrong(response.request(), String(response.status()))
  })
  page.on('close', () => open.delete(page))
}

const asLine = (text: string, chars: number): string => text.replaceAll(/\s*\n\s*/g, ' | ').slice(0, chars)

const textsOf = async (page: Page, selector: string, chars: number): Promise<string> => {
  const texts = page.locator(selector).allInnerTexts()
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('the page does not answer')), TEXT_MS).unref()
  })
  return Promise.race([texts, late]).then(
    (said) => asLine(said.join(' | '), chars),
    (error: unknown) => `(${error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'no text'})`,
  )
}

const describePage = async (page: Page, { waiting, wentWrong }: Traffic): Promise<string> => {
  const now = performance.now()
  const over = await textsOf(page, OVER_THE_PAGE, OVER_CHARS)
  const text = await textsOf(page, 'body', TEXT_CHARS)
  const unanswered = [...waiting]
    .slice(0, REQUESTS_SAID)
    .map(([request, since]) => `${request.method()} ${request.url()} for ${Math.round((now - since) / 100) / 10} s`)
  return [
    `page ${page.url()} shows: ${text}`,
    ...(over === '' ? [] : [`over it: ${over}`]),
    ...(unanswered.length === 0 ? [] : [`without an answer: ${unanswered.join(', ')}`]),
    ...(wentWrong.length === 0 ? [] : [`went wrong: ${wentWrong.join(', ')}`]),
  ].join('\n  ')
}

/** What each open page shows, and what became of its requests: where a test failed that waited for something in vain. */
export const describeOpenPages = (): Promise<string[]> =>
  Promise.all([...open].map(([page, traffic]) => describePage(page, traffic)))
