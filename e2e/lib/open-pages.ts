import type { Page, Request } from 'playwright-core'

/** A page of a failed test says no more than this of its text. */
const TEXT_CHARS = 2500
const TEXT_MS = 5000
/** Of requests without an answer, the first. */
const REQUESTS_SAID = 10

/** Pages that tests have open, with what they still wait for. */
const open = new Map<Page, Map<Request, number>>()

export const noteOpenPage = (page: Page): void => {
  const waiting = new Map<Request, number>()
  open.set(page, waiting)
  page.on('request', (request) => waiting.set(request, performance.now()))
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  page.on('close', () => open.delete(page))
}

const describePage = async (page: Page, waiting: ReadonlyMap<Request, number>): Promise<string> => {
  const now = performance.now()
  const text = await page
    .locator('body')
    .innerText({ timeout: TEXT_MS })
    .catch((error: unknown) => `(${error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'no text'})`)
  const requests = [...waiting]
    .slice(0, REQUESTS_SAID)
    .map(([request, since]) => `${request.method()} ${request.url()} for ${Math.round((now - since) / 100) / 10} s`)
  const unanswered = requests.length === 0 ? '' : `\n  without an answer: ${requests.join(', ')}`
  return `page ${page.url()} shows: ${text.replaceAll(/\s*\n\s*/g, ' | ').slice(0, TEXT_CHARS)}${unanswered}`
}

/** What each open page shows, and which requests it waits for: where a test failed that waited for something in vain. */
export const describeOpenPages = (): Promise<string[]> =>
  Promise.all([...open].map(([page, waiting]) => describePage(page, waiting)))
