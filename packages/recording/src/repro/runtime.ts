/** What every exported test brings with it, as source. Nothing recorded is in it. */

/** The step that fails when the recorded error comes again: `firsthand repro` looks for it. */
export const ASSERTION = 'the recorded error does not come again'

export const HEAD = `import { expect, test, type Page, type Request } from '@playwright/test'`

export const RUNTIME = `/** With FIRSTHAND_LIVE=1 the site itself answers where no body was recorded. */
const LIVE = process.env['FIRSTHAND_LIVE'] === '1'

/** Numbers differ from visit to visit. */
const normal = (text: string): string => text.replace(/[0-9a-f]{8,}|\\d+/gi, '0').replace(/\\s+/g, ' ')

const errorsIn = (envelope: string): string[] =>
  envelope.split('\\n').flatMap((line) => {
    try {
      const { exception, message } = JSON.parse(line)
      const errors: { type?: string; value?: string }[] = exception?.values ?? []
      return [...errors.map(({ type, value }) => \`\${type}: \${value}\`), ...(typeof message === 'string' ? [message] : [])]
    } catch {
      return []
    }
  })

/** What SDKs report goes nowhere, but is looked at. */
const isReport = (request: Request): boolean =>
  request.method() === 'POST' &&
  (/\\/(?:envelope|store)\\/?$/.test(new URL(request.url()).pathname) || /"type":"(?:event|replay_event)"/.test(request.postData() ?? ''))

/** Answers as recorded, and notes what goes wrong. */
const record = async (page: Page) => {
  const errors: string[] = []
  const counts = new Map<string, number>()
  const keyOf = (request: Request): string | undefined => {
    const { host, origin, pathname, search } = new URL(request.url())
    const place = host === new URL(BASE_URL).host ? pathname : origin + pathname
    return [\`\${request.method()} \${place}\${search}\`, \`\${request.method()} \${place}\`].find((key) => ANSWERS.has(key))
  }
  page.on('pageerror', (error) => errors.push(\`\${error.name}: \${error.message}\`))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.route('**/*', async (route, request) => {
    if (isReport(request)) {
      errors.push(...errorsIn(request.postData() ?? ''))
      return route.fulfill({ json: {} })
    }
    const key = ['fetch', 'xhr'].includes(request.resourceType()) ? keyOf(request) : undefined
    if (key === undefined) return route.fallback()
    const answers = ANSWERS.get(key) ?? []
    const count = counts.get(key) ?? 0
    const answer = answers[Math.min(count, answers.length - 1)]
    counts.set(key, count + 1)
    if (answer === undefined || (LIVE && answer.body === null)) return route.fallback()
    if (answer.status === 0) return route.abort()
    return route.fulfill({ status: answer.status, contentType: answer.type, body: answer.body ?? '{}' })
  })
  const recorded = (): string[] => errors.filter((text) => normal(text).includes(normal(RECORDED_ERROR)))
  return {
    /** The page has asked for it so often, as it did when it was recorded. */
    asked: (key: string, times: number) =>
      expect.poll(() => counts.get(key) ?? 0, { message: \`\${key}, asked for\` }).toBeGreaterThanOrEqual(times),
    /** Errors like the recorded one: at once when there is one, and else when it had time to come. */
    errors: async (): Promise<string[]> => {
      // Nothing in this time is an answer, too: what was reported is compared with what was recorded.
      await expect
        .poll(() => recorded().length, { timeout: TIME_TO_COME })
        .toBeGreaterThan(0)
        .catch(() => undefined)
      return recorded()
    },
  }
}`
