import { afterEach, describe, expect, it, vi } from 'vitest'
import * as Firsthand from '../core.ts'
import { closeTestPage, openTestPage, type TestPage } from '../tracing/test-page.ts'
import type { SentLog } from '../types.ts'
import { consoleLoggingIntegration, logger } from './index.ts'

const start = (options: Firsthand.BrowserOptions = {}): TestPage => {
  const page = openTestPage()
  page.init(options)
  return page
}
const logs = (page: TestPage): SentLog[] => page.items('log').flatMap((payload) => payload['items'] as SentLog[])
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(5000)

afterEach(closeTestPage)

describe('structured logs', () => {
  it('T11 go together, with level, severity, trace, and attributes that keep their type', async () => {
    const page = start({ environment: 'live' })
    Firsthand.setUser({ id: '7' })
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)
      logger[level](`at ${level}`, { count: 2, ratio: 0.5, isFirst: true, basket: { teas: 3 } })
    await settle()
    expect(page.sent).toHaveLength(1)
    expect(page.sent[0]?.[1][0]?.[0]).toMatchObject({
      type: 'log',
      item_count: 6,
      content_type: 'application/vnd.sentry.items.log+json',
    })
    expect(logs(page).map(({ level, severity_number }) => [level, severity_number])).toEqual([
      ['trace', 1],
      ['debug', 5],
      ['info', 9],
      ['warn', 13],
      ['error', 17],
      ['fatal', 21],
    ])
    expect(logs(page)[2]).toMatchObject({
      body: 'at info',
      trace_id: Firsthand.getCurrentScope().data.propagationContext.traceId,
      attributes: {
        count: { type: 'integer', value: 2 },
        ratio: { type: 'double', value: 0.5 },
        isFirst: { type: 'boolean', value: true },
        basket: { type: 'string', value: '{"teas":3}' },
        'user.id': { type: 'string', value: '7' },
        'sentry.environment': { type: 'string', value: 'live' },
        // Lines of one moment keep their order.
        'sentry.timestamp.sequence': { type: 'integer', value: 2 },
      },
    })
  })

  it('values of a template are kept apart from its words', async () => {
    const page = start()
    logger.info(logger.fmt`basket of ${3} teas for ${{ id: 7 }}`, { area: 'basket' })
    await settle()
    expect(logs(page)[0]).toMatchObject({
      body: 'basket of 3 teas for {"id":7}',
      attributes: {
        'sentry.message.template': { value: 'basket of {} teas for {}' },
        'sentry.message.parameter.0': { type: 'integer', value: 3 },
        'sentry.message.parameter.1': { type: 'string', value: '{"id":7}' },
        area: { value: 'basket' },
      },
    })
  })

  it('a loop of them goes in parts, and none is larger than what a browser sends for a page that goes away', async () => {
    const page = start()
    for (let index = 0; index < 250; index += 1) logger.warn(`${index} ${'ä'.repeat(400)}`)
    await settle()
    expect(logs(page)).toHaveLength(250)
    for (const envelope of page.sent)
      expect(new TextEncoder().encode(JSON.stringify(envelope)).length).toBeLessThan(64 * 1024)
  })

  it('go out when the tab is hidden, and are cut when they are long', async () => {
    const page = start()
    logger.error('x'.repeat(20_000))
    page.document.visibilityState = 'hidden'
    page.tell('visibilitychange')
    await vi.advanceTimersByTimeAsync(0)
    expect(logs(page)[0]?.body).toHaveLength(8192)
  })

  it('beforeSendLog may change and drop them; when it throws, the line is dropped', async () => {
    const page = start({
      beforeSendLog: (log) => {
        if (log.body === 'secret') return null
        if (log.body === 'fails') throw new Error('about to remove something')
        return { ...log, body: log.body.toUpperCase() }
      },
    })
    for (const line of ['secret', 'fails', 'kept']) logger.info(line)
    await settle()
    expect(logs(page).map(({ body }) => body)).toEqual(['KEPT'])
  })

  it('what the page says on the console becomes lines where it is wanted, and is said all the same', async () => {
    const said: unknown[][] = []
    const quiet = (...given: unknown[]): void => void said.push(given)
    vi.stubGlobal('console', { ...console, log: quiet, warn: quiet, error: quiet })
    const page = start({ integrations: [consoleLoggingIntegration()] })
    const { log, warn, error } = globalThis.console
    log('not a line')
    warn('slow', { ms: 7 })
    error(new RangeError('broken'))
    await settle()
    expect(logs(page).map(({ level, body }) => [level, body])).toEqual([
      ['warn', 'slow {"ms":7}'],
      ['error', 'RangeError: broken'],
    ])
    expect(logs(page)[0]?.attributes['sentry.origin']?.value).toBe('auto.log.console')
    expect(said).toHaveLength(3)
  })

  it('are not sent where they are switched off, and nothing breaks without a client or by what is no text', async () => {
    const page = start({ enableLogs: false })
    logger.info('off')
    await settle()
    expect(page.sent).toEqual([])
    await closeTestPage()
    const odd = start()
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    for (const value of [undefined, null, 7, Symbol('s'), circle, () => 1])
      logger.info(value as never, { value, ['__proto__']: value })
    await settle()
    expect(logs(odd).length).toBeGreaterThan(3)
  })
})
