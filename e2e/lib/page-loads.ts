import { newEventId, sendItems } from './send.ts'
import { newSpanId, newTraceId } from './transactions.ts'

/** Loads of pages with their web vitals, in the three ways in which SDKs 8 to 11 tell them. */

export interface PageLoad {
  readonly page: string
  readonly browser?: string
  readonly country?: string
  /** Milliseconds, but for CLS. */
  readonly vitals: Readonly<Partial<Record<'lcp' | 'inp' | 'cls' | 'fcp' | 'ttfb', number>>>
  /** Of the vitals' spans, or of the page load itself. */
  readonly attributes?: Readonly<Record<string, string | number>>
}

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

const insist = async (answer: Response): Promise<void> => {
  if (!answer.ok) throw new Error(`the page load was refused: ${answer.status} ${await answer.text()}`)
}

/** As measurements of the transaction (SDKs 7 to 10). */
export const sendMeasuredLoad = async (dsn: string, load: PageLoad): Promise<void> => {
  const now = Date.now() / 1000
  const units = (name: string): string => (name === 'cls' ? '' : 'millisecond')
  const measurements = Object.entries(load.vitals).map(([name, value]) => [name, { value, unit: units(name) }])
  const payload = {
    event_id: newEventId(),
    type: 'transaction',
    platform: 'javascript',
    transaction: load.page,
    transaction_info: { source: 'route' },
    start_timestamp: now - 60,
    timestamp: now - 57,
    release: 'shop@1.2.3',
    environment: 'production',
    user: { id: '7', ...(load.country !== undefined && { geo: { country_code: load.country } }) },
    measurements: Object.fromEntries(measurements),
    contexts: {
      trace: { trace_id: newTraceId(), span_id: newSpanId(), op: 'pageload', data: load.attributes ?? {} },
      browser: { name: load.browser ?? 'Chrome', version: '142' },
    },
  }
  await insist(await sendItems(dsn, [{ type: 'transaction', payload }]))
}

/** INP as a span of its own that is called after its element (SDKs 8 to 10). */
export const sendStandaloneInp = async (dsn: string, page: string, inp: number, element: string): Promise<void> => {
  const start = Date.now() / 1000 - 50
  const payload = {
    trace_id: newTraceId(),
    span_id: newSpanId(),
    op: 'ui.interaction.click',
    description: element,
    start_timestamp: start,
    timestamp: start + inp / 1000,
    is_segment: true,
    measurements: { inp: { value: inp, unit: 'millisecond' } },
    data: { transaction: page, environment: 'production', 'user_agent.original': IPHONE },
  }
  await insist(await sendItems(dsn, [{ type: 'span', payload }]))
}

/** Each vital as a span of the container (SDK 11). */
export const sendStreamedVitals = async (dsn: string, loads: readonly PageLoad[]): Promise<void> => {
  const start = Date.now() / 1000 - 40
  const items = loads.flatMap(({ page, browser = 'Chrome', country, vitals, attributes = {} }) => {
    const trace = newTraceId()
    return Object.entries(vitals).map(([vital, value]) => ({
      trace_id: trace,
      span_id: newSpanId(),
      name: vital.toUpperCase(),
      status: 'ok',
      start_timestamp: start,
      end_timestamp: start + (vital === 'cls' ? 0 : value / 1000),
      attributes: typed({
        'sentry.op': vital === 'inp' ? 'ui.interaction.click' : `ui.webvital.${vital}`,
        'sentry.segment.name': page,
        'sentry.segment.name.source': 'route',
        'sentry.environment': 'production',
        'browser.name': browser,
        ...(country !== undefined && { 'user.geo.country_code': country }),
        [`browser.web_vital.${vital}.value`]: value,
        ...attributes,
      }),
    }))
  })
  const header = { content_type: 'application/vnd.sentry.items.span.v2+json', item_count: items.length }
  await insist(await sendItems(dsn, [{ type: 'span', payload: { version: 2, items }, header }]))
}

const typed = (values: Readonly<Record<string, string | number>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { type: typeof value === 'string' ? 'string' : Number.isInteger(value) ? 'integer' : 'double', value },
    ]),
  )
