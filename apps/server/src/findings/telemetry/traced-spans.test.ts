import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/index.ts'
import { digestItem, RECEIVED, RECEIVED_AT } from '../../event/normalise/digest-item.fixture.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../../storage/conformance/engines.ts'
import { createRowWriter } from '../../storage/telemetry/row-writer.ts'
import { createSpanItems } from '../../traces/span-items.ts'
import { LIMITS } from '../limits.ts'
import { times } from '../spans.fixture.ts'
import { createTracedSpans } from './traced-spans.ts'

const PROJECT = 1
const TRACES = 7
const SPANS = 40
const HUGE = 60_000
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
const huge = (seed: number): string => `${seed} `.repeat(HUGE).slice(0, HUGE)

const transaction = (seed: number) => {
  const trace_id = hex(seed, 32)
  const root = hex(seed * 100 + 1, 16)
  const span = (index: number) => ({
    trace_id,
    span_id: hex(seed * 100 + index + 2, 16),
    parent_span_id: root,
    op: 'ui.long-animation-frame',
    description: `SELECT ${huge(seed).slice(0, 1500)}…`,
    start_timestamp: RECEIVED - 9,
    timestamp: RECEIVED - 8,
    data: Object.fromEntries(
      ['code.file.path', 'browser.script.source_url', 'code.function.name', 'resource.render_blocking_status'].map(
        (name) => [name, huge(seed)],
      ),
    ),
  })
  return digestItem(
    {
      type: 'transaction',
      transaction: 'GET /',
      start_timestamp: RECEIVED - 10,
      timestamp: RECEIVED - 7,
      contexts: { trace: { trace_id, span_id: root, op: 'http.server' } },
      spans: times(SPANS, span),
    },
    { type: 'transaction', sender: { projectId: PROJECT } },
  )
}

describe.each(TELEMETRY_ENGINES)('spans that are looked at, on $name', ({ open }) => {
  let telemetry: OpenedTelemetry
  beforeAll(async () => {
    telemetry = await open()
    const kind = createSpanItems({ writer: createRowWriter({ client: telemetry.telemetry.client }) })
    for (const seed of times(TRACES, (index) => index + 1)) {
      const item = transaction(seed)
      const read = kind.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [item.item] })
      if (!read.ok) throw new Error(read.error.detail)
      const entry = { item, value: read.value, id: () => '', followers: 0 }
      await kind.write?.([{ entry, ready: undefined, stored: undefined }], { token: `t:${seed}`, again: false })
    }
  })
  afterAll(() => telemetry.close())

  it('however long what they say is, they are read, and no more of it than a rule looks at', async () => {
    const traces = times(TRACES, (index) => ({ projectId: PROJECT, traceId: hex(index + 1, 32) }))
    const spans = await createTracedSpans({ client: telemetry.telemetry.client }).load(traces, RECEIVED_AT - 3_600_000)
    expect(spans).toHaveLength(TRACES * (SPANS + 1))
    const facts = spans.flatMap((span) => Object.values(span.facts)).filter((fact) => typeof fact === 'string')
    expect(Math.max(...facts.map(({ length }) => length))).toBe(LIMITS.FINDING_READ_CHARS)
    const names = spans.map(({ name }) => name).filter((name) => name.startsWith('SELECT'))
    expect(new Set(names.map(({ length }) => length))).toEqual(new Set([LIMITS.FINDING_READ_CHARS]))
    expect(names.every((name) => name.endsWith('…'))).toBe(true)
  })
})
