import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { digestItem, RECEIVED, RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import type { DigestItem, Submission } from '../ingest/index.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  silentLogger,
  TELEMETRY_ENGINES,
  testClock,
  type OpenedLedger,
  type OpenedTelemetry,
} from '../storage/conformance/engines.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import type { SpanNews } from '../traces/index.ts'
import { createSpanItems } from '../traces/span-items.ts'
import { CASES } from './cases.fixture.ts'
import { DETECTORS } from './detectors/index.ts'
import { createFindingSettings } from './ledger/finding-settings.ts'
import { createSightings } from './ledger/sightings.ts'
import { LIMITS } from './limits.ts'
import { createLook } from './look.ts'
import { needsOf } from './needs.ts'
import { resolveSettings, type ChangedSettings } from './settings.ts'
import { sketch, START_MICROS, type SketchedSegment } from './spans.fixture.ts'
import { createTracedSpans } from './telemetry/traced-spans.ts'

/** Each rule, from what SDKs of three generations send to the issue: nothing on the way may take its spans for harmless. */

const PROJECT = 1

type Form = 'SDK 7' | 'SDK 10' | 'SDK 11'
const FORMS: readonly Form[] = ['SDK 7', 'SDK 10', 'SDK 11']

/** What the cases call by the names of SDK 10. */
const NAMES: Readonly<Record<Form, ReadonlyMap<string, string>>> = {
  'SDK 7': new Map([
    ['http.response.body.size', 'Encoded Body Size'],
    ['http.decoded_response_content_length', 'Decoded Body Size'],
    ['http.response_transfer_size', 'Transfer Size'],
    ['ui.long-animation-frame', 'ui.long-task'],
  ]),
  'SDK 10': new Map([['http.response.body.size', 'http.response_content_length']]),
  'SDK 11': new Map([
    ['http.decoded_response_content_length', 'http.response.body.decoded_size'],
    ['http.response_transfer_size', 'http.response.size'],
    ['code.filepath', 'code.file.path'],
    ['code.function', 'code.function.name'],
    ['ui.long-animation-frame', 'ui.long_animation_frame'],
  ]),
}

const secondsOf = (micros: number): number => RECEIVED - 100 + (micros - START_MICROS) / 1_000_000

const envelopeOf = (sketched: SketchedSegment, form: Form): DigestItem => {
  const named = (name: string): string => NAMES[form].get(name) ?? name
  const spans = sketch(sketched).map(({ facts, ...span }) => ({
    ...span,
    op: named(span.op),
    data: Object.fromEntries([
      ...Object.entries(facts).map(([name, value]) => [named(name), value]),
      ...(span.category === 'db' ? [['db.system', 'postgresql']] : []),
    ]) as Record<string, string | number | boolean>,
  }))
  const sender = { projectId: PROJECT }
  if (form === 'SDK 11') {
    const items = spans.map(({ traceId, id, parentId, segmentId, isSegment, name, op, start, duration, data }) => {
      const attributes = {
        ...data,
        'sentry.op': op,
        'sentry.segment.id': segmentId,
        'sentry.sdk.name': spans[0]?.sdkName,
      }
      return {
        trace_id: traceId,
        span_id: id,
        parent_span_id: parentId,
        is_segment: isSegment,
        name,
        start_timestamp: secondsOf(start),
        end_timestamp: secondsOf(start + duration),
        attributes: Object.fromEntries(
          Object.entries(attributes).map(([key, value]) => [
            key,
            { value, type: typeof value === 'number' ? 'double' : typeof value },
          ]),
        ),
      }
    })
    const item = digestItem({ version: 2, items }, { type: 'span', sender })
    const contentType = 'application/vnd.sentry.items.span.v2+json'
    return { ...item, item: { ...item.item, header: { ...item.item.header, contentType, itemCount: items.length } } }
  }
  const [root, ...children] = spans
  if (root === undefined) throw new Error('no root')
  return digestItem(
    {
      type: 'transaction',
      transaction: root.name,
      start_timestamp: secondsOf(root.start),
      timestamp: secondsOf(root.start + root.duration),
      sdk: { name: root.sdkName, version: '7.0.0' },
      contexts: { trace: { trace_id: root.traceId, span_id: root.id, op: root.op, data: root.data } },
      spans: children.map(({ traceId, id, parentId, op, name, start, duration, data }) => ({
        trace_id: traceId,
        span_id: id,
        parent_span_id: parentId,
        op,
        description: name,
        start_timestamp: secondsOf(start),
        timestamp: secondsOf(start + duration),
        data,
      })),
    },
    { type: 'transaction', sender },
  )
}

/** One rule alone, whose findings are issues at once. */
const only = (id: string): ChangedSettings => ({
  detectors: Object.fromEntries(
    DETECTORS.map((detector) => [detector.id, detector.id === id ? { seen: 1 } : { enabled: false }]),
  ),
  mutes: [],
})

const sent = CASES.flatMap(({ detector, positive }, index) =>
  FORMS.map((form, at) => {
    const seed = 1000 + index * 10 + at
    return {
      detector,
      form,
      traceId: seed.toString(16).padStart(32, '0'),
      item: envelopeOf({ ...positive, seed }, form),
    }
  }),
)

it('each rule has a case', () => {
  expect(CASES.map(({ detector }) => detector).toSorted()).toEqual(DETECTORS.map(({ id }) => id).toSorted())
})

describe.each(TELEMETRY_ENGINES)('rules and what is sent, on $name', ({ open }) => {
  let telemetry: OpenedTelemetry
  let ledger: OpenedLedger
  let news: readonly SpanNews[] = []
  beforeAll(async () => {
    telemetry = await open()
    const [engine] = LEDGER_ENGINES
    if (engine === undefined) throw new Error('no ledger')
    ledger = await engine.open()
    await seedOrganization(ledger.ledger)
    const kind = createSpanItems({ writer: createRowWriter({ client: telemetry.telemetry.client }) })
    const stored = sent.map(({ item }) => {
      const read = kind.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [item.item] })
      if (!read.ok) throw new Error(read.error.detail)
      return { entry: { item, value: read.value, id: () => '', followers: 0 }, ready: undefined, stored: undefined }
    })
    await kind.write?.(stored, { token: 't:1', again: false })
    news = (kind.announce?.(stored) ?? []).map(({ data }) => data as SpanNews)
  })
  afterAll(async () => {
    await telemetry.close()
    await ledger.close()
  })

  it.each(CASES)(
    'T85: $detector is found live and in a trial, whatever generation of SDK sent it',
    async ({ detector }) => {
      const own = sent.filter((one) => one.detector === detector)
      const clock = testClock(RECEIVED_AT)
      const spans = createTracedSpans({ client: telemetry.telemetry.client })
      const settings = createFindingSettings({ ledger: ledger.ledger, clock })
      await settings.save(PROJECT, only(detector))
      const submitted: Submission[] = []
      const look = createLook({
        spans,
        settings,
        sightings: createSightings({ ledger: ledger.ledger }),
        submit: async (submission) => void submitted.push(submission),
        clock,
        logger: silentLogger,
      })
      for (const each of news) look.hear({ organizationId: 1, projectId: PROJECT }, each)
      clock.set(clock.now() + LIMITS.FINDING_SETTLE_MS)
      await look.run()
      const foundIn = submitted.map(({ payload }) => JSON.stringify(payload['contexts']))
      const missing = own.filter(({ traceId }) => !foundIn.some((contexts) => contexts.includes(traceId)))
      expect(missing.map(({ form }) => form)).toEqual([])

      const needs = needsOf(resolveSettings(only(detector)))
      const candidates = await spans.candidates(PROJECT, needs, RECEIVED_AT - 24 * 3_600_000, 1000)
      expect(candidates).toEqual(expect.arrayContaining(own.map(({ traceId }) => traceId)))
    },
  )
})
