import { markRecurring } from '../../lib/recurring.ts'
import { createHash } from 'node:crypto'
import type { Frame, NormalisedEvent } from '../../event/event.ts'
import { summaryOf } from '../digest/event-to-store.ts'
import type { GroupedEvent } from '../grouped.ts'
import type { LedgerEvent } from '../issues.store.ts'
import type { LedgerBatch } from '../../../test/stores/batch-stores.ts'

/** Events for the stores' tests and benchmarks: the same seed gives the same event. */

export const hex = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

export interface SampleEvent {
  readonly seed: string
  /** Decides the issue. */
  readonly kind?: string
  readonly hashes?: readonly string[]
  /** Of grouping. */
  readonly version?: string
  readonly previous?: { readonly version: string; readonly hashes: readonly string[] }
  /** Milliseconds since the epoch. */
  readonly at?: number
  readonly release?: string
  readonly environment?: string
  readonly user?: string
  readonly message?: string
  readonly frames?: number
  /** Its frames are the same object as those of the others of its kind, as of an error that comes often. */
  readonly recurring?: boolean
  readonly level?: NormalisedEvent['level']
}

const WORDS =
  'checkout payment session cart account invoice render hydrate socket upload thumbnail search profile token refresh webhook worker queue cache router'.split(
    ' ',
  )

const word = (seed: string, index: number): string =>
  WORDS[Number.parseInt(hex(`${seed}:${index}`, 6), 16) % WORDS.length] ?? 'word'

const frameOf = (kind: string, index: number): Frame => ({
  filename: `https://shop.example/assets/${word(kind, index)}-${hex(kind, 8)}.js`,
  abs_path: `https://shop.example/assets/${word(kind, index)}-${hex(kind, 8)}.js`,
  function: `${word(kind, index)}${index}`,
  module: `${word(kind, index + 1)}/${word(kind, index + 2)}`,
  lineno: 10 + index,
  colno: 7,
  in_app: index % 2 === 0,
  context_line: `  return ${word(kind, index + 3)}(${word(kind, index + 4)}, ${index})`,
})

const recurringFrames = new Map<string, readonly Frame[]>()

const framesOf = ({ kind = 'a', frames: count = 8, recurring = false }: SampleEvent): readonly Frame[] => {
  const known = recurring ? recurringFrames.get(`${kind}:${count}`) : undefined
  if (known !== undefined) return known
  const frames = Array.from({ length: count }, (_, index) => frameOf(kind, index))
  if (recurring) recurringFrames.set(`${kind}:${count}`, markRecurring(frames))
  return frames
}

export const BASE_TIME = Date.UTC(2026, 10, 1)

export const sampleEvent = (sample: SampleEvent): GroupedEvent => {
  const { seed, kind = 'a', at = BASE_TIME, level = 'error' } = sample
  const type = `${word(kind, 1).replace(/^./, (first) => first.toUpperCase())}Error`
  const value = sample.message ?? `${word(kind, 2)} ${word(kind, 3)} failed for order ${hex(seed, 6)}`
  const event: NormalisedEvent = {
    event_id: hex(`event:${seed}`, 32),
    type: 'error',
    timestamp: at / 1000,
    received: at / 1000,
    platform: 'javascript',
    level,
    logger: '',
    transaction: `/${word(kind, 4)}/:id`,
    environment: sample.environment ?? 'production',
    exception: {
      values: [
        {
          type,
          value,
          mechanism: { type: 'onerror', handled: false },
          stacktrace: { frames: framesOf(sample) },
        },
      ],
    },
    user: {
      id: sample.user ?? hex(seed, 4),
      ip_address: '203.0.113.7',
      sentry_user: `id:${sample.user ?? hex(seed, 4)}`,
    },
    request: {
      url: `https://shop.example/${word(kind, 4)}/${hex(seed, 5)}`,
      method: 'GET',
      headers: [['User-Agent', 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0.0.0']],
    },
    contexts: {
      browser: { name: 'Chrome', version: '140.0' },
      os: { name: 'Linux' },
      trace: { trace_id: hex(`trace:${seed}`, 32), span_id: hex(`span:${seed}`, 16) },
    },
    tags: [
      ['browser', 'Chrome 140'],
      ['browser.name', 'Chrome'],
      ['environment', sample.environment ?? 'production'],
      ['level', level],
      ['os.name', 'Linux'],
      ['url', `https://shop.example/${word(kind, 4)}/${hex(seed, 5)}`],
    ],
    sdk: { name: 'sentry.javascript.react', version: '11.2.0' },
    errors: [],
    ...(sample.release === undefined ? {} : { release: sample.release }),
  }
  return {
    event,
    grouping: {
      version: sample.version ?? 'firsthand:2026-11-20',
      hashes: sample.hashes ?? [hex(`hash:${kind}`, 32)],
      ...(sample.previous === undefined ? {} : { previous: sample.previous }),
    },
    decision: { variant: 'app', description: 'in-app exception stack trace' },
    title: {
      title: `${type}: ${value}`.slice(0, 256),
      culprit: `${word(kind, 1)}(${word(kind, 2)})`,
      metadata: { type, value },
    },
    unhandled: true,
  }
}

export const ledgerEvent = (
  sample: SampleEvent,
  { organizationId = 1, projectId = 1 }: { organizationId?: number; projectId?: number } = {},
): LedgerEvent => ({
  organizationId,
  projectId,
  receivedAt: sample.at ?? BASE_TIME,
  grouped: summaryOf(sampleEvent(sample)),
})

export const ledgerBatch = (
  number: number,
  events: readonly LedgerEvent[],
  rest: Partial<LedgerBatch> = {},
): LedgerBatch => ({
  spool: 'main',
  number,
  end: { segment: 0, offset: number * 1000 },
  events,
  blobs: [],
  ...rest,
})
