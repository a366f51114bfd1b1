import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { parseEnvelope } from '@firsthand/protocol'
import { DEFAULT_PROJECT_SETTINGS } from '../../apps/server/src/accounts/settings.ts'
import type { Sender } from '../../apps/server/src/ingest/road.ts'
import { summaryOf } from '../../apps/server/src/issues/digest/event-to-store.ts'
import type { StoredEvent } from '../../apps/server/src/issues/events.store.ts'
import type { GroupedEvent } from '../../apps/server/src/issues/grouped.ts'
import { group } from '../../apps/server/src/issues/grouping/index.ts'
import { normalise } from '../../apps/server/src/event/normalise/index.ts'
import { scrub } from '../../apps/server/src/event/scrub/index.ts'
import { systemClock } from '../../apps/server/src/lib/clock.ts'
import { createFindings } from '../../apps/server/src/lib/findings.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { createIssueStore } from '../../apps/server/test/stores/batch-stores.ts'
import { createTelemetryStore } from '../../apps/server/test/stores/batch-stores.ts'
import { createEventFactory, randomFrom } from '../events.ts'
import { openLedger, openTelemetry } from '../../apps/server/test/stores/open.ts'

const BATCH = 5000
/** Events that took the whole road: normalised, scrubbed and grouped. All others are variations of them. */
const TEMPLATES = 8000
const DAY_MS = 86_400_000
const MERGE_WAIT_MS = 240_000

export interface Fill {
  /** Of a server that has stopped: the engine has one owner. */
  readonly dataDir: string
  readonly projectId: number
  readonly organizationId: number
  readonly events: number
  /** The events spread over so many days before now, in the order of time. */
  readonly days: number
  readonly onProgress: (stored: number) => void
}

/**
 * Fills the stores with the steps by which the digest writes (`test/stores/batch-stores.ts`), in batches larger than the
 * digest's: by HTTP it would take many times as long, and that is measured elsewhere. A template is an event that was
 * normalised, scrubbed and grouped; each stored event is a copy with an id, time, user, message and breadcrumb texts of
 * its own.
 */
export const fillStores = async ({ dataDir, projectId, organizationId, events, days, onProgress }: Fill) => {
  const logger = createLogger('warn', (line) => process.stderr.write(line), systemClock.now)
  const ledger = await openLedger({ path: join(dataDir, 'ledger.sqlite') }, { logger, clock: systemClock })
  const telemetry = await openTelemetry({ dataDir }, { logger, findings: createFindings({ now: systemClock.now }) })
  try {
    const issues = createIssueStore({ ledger, clock: systemClock })
    const store = createTelemetryStore({ client: telemetry.client })
    const vary = createVariations({ organizationId, projectId })
    const start = Date.now() - days * DAY_MS
    let written: Promise<unknown> = Promise.resolve()
    for (let first = 0, number = 1; first < events; first += BATCH, number += 1) {
      const count = Math.min(BATCH, events - first)
      const batch = Array.from({ length: count }, (_, offset) => {
        const at = start + ((first + offset) / events) * days * DAY_MS
        return { organizationId, projectId, receivedAt: Math.floor(at) + 900, grouped: vary(at) }
      })
      const end = { segment: 0, offset: 0 }
      const summaries = batch.map((event) => ({ ...event, grouped: summaryOf(event.grouped) }))
      const { events: verdicts } = await issues.apply({ spool: 'fill', number, end, events: summaries, blobs: [] })
      const rows = batch.flatMap((event, index): StoredEvent[] => {
        const verdict = verdicts[index]
        const trace = event.grouped.event.contexts['trace']?.['trace_id']
        return verdict?.kind !== 'stored'
          ? []
          : [
              {
                organizationId,
                projectId,
                issueId: verdict.issueId,
                row: store.encode({
                  ...event,
                  traceId: typeof trace === 'string' ? trace : null,
                  spanId: null,
                  replayId: null,
                }),
              },
            ]
      })
      // The engine stores one batch while the next is made.
      await written
      written = store.write({ token: `fill:${number}`, events: rows, outcomes: () => [], keptItems: [] })
      await issues.settle('fill', number)
      onProgress(first + count)
    }
    await written
    const deadline = Date.now() + MERGE_WAIT_MS
    for (;;) {
      const result = await telemetry.client.query({
        query: 'SELECT count() AS n FROM system.merges',
        format: 'JSONEachRow',
      })
      const [row] = await result.json<{ n: number }>()
      if (row?.n === 0 || Date.now() > deadline) break
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  } finally {
    await telemetry.close()
    await ledger.close()
  }
}

const createVariations = (sender: Pick<Sender, 'organizationId' | 'projectId'>) => {
  const factory = createEventFactory(4000)
  const random = randomFrom(11)
  const whole: Sender = { ...sender, keyId: 1, clientAddress: null, userAgent: null, origin: null, sdk: 'bench' }
  const now = Date.now()
  const templates = Array.from({ length: TEMPLATES }, (_, index) => {
    const json = factory.make(index, now)
    // Errors that came before: their frames are recognised from the second time on.
    realRoad(json, whole, now)
    return realRoad(json, whole, now)
  })
  const digits = (text: string): string =>
    text
      .replace(/\b[0-9a-f]{8,12}\b/g, (found) => randomBytes(6).toString('hex').slice(0, found.length))
      .replace(/\b\d{3,6}\b/g, (found) => String(Math.floor(random() * 10 ** found.length)))

  /** @param at milliseconds since the epoch */
  return (at: number): GroupedEvent => {
    const template = templates[Math.floor(random() * TEMPLATES)]
    if (template === undefined) throw new Error('There are no templates.')
    const { event, title } = template
    const user = Math.floor(random() * 20_000)
    const failed = event.exception?.values.at(-1)
    const value = digits(failed?.value ?? '')
    const ofUser = `id:${user}`
    return {
      ...template,
      title: {
        ...title,
        title: title.title.replace(failed?.value ?? '', () => value),
        metadata: { ...title.metadata, value },
      },
      event: {
        ...event,
        event_id: randomBytes(16).toString('hex'),
        timestamp: at / 1000,
        received: at / 1000 + 0.9,
        contexts: {
          ...event.contexts,
          trace: {
            ...event.contexts['trace'],
            trace_id: randomBytes(16).toString('hex'),
            span_id: randomBytes(8).toString('hex'),
          },
        },
        user: {
          ...event.user,
          id: String(user),
          email: `user${user}@example.com`,
          ip_address: `10.${user % 250}.${Math.floor(random() * 250)}.7`,
          sentry_user: ofUser,
        },
        tags: event.tags.map(([key, text]) => [key, key === 'user' ? ofUser : key === 'url' ? digits(text) : text]),
        ...(event.exception === undefined || failed === undefined
          ? {}
          : {
              exception: {
                ...event.exception,
                values: [...event.exception.values.slice(0, -1), { ...failed, value }],
              },
            }),
        ...(event.breadcrumbs === undefined
          ? {}
          : {
              breadcrumbs: {
                ...event.breadcrumbs,
                values: event.breadcrumbs.values.map((crumb) => ({
                  ...crumb,
                  timestamp: at / 1000 - random() * 9,
                  ...(crumb.message === undefined ? {} : { message: digits(crumb.message) }),
                })),
              },
            }),
      },
    }
  }
}

const realRoad = (json: string, sender: Sender, now: number): GroupedEvent => {
  const eventId = json.slice(13, 45)
  const parsed = parseEnvelope(Buffer.from(`{"event_id":"${eventId}"}\n{"type":"event"}\n${json}`))
  const item = parsed.ok ? parsed.value.items[0] : undefined
  if (!parsed.ok || item === undefined) throw new Error('The factory made an envelope that cannot be read.')
  const result = normalise(
    { item: { sender, receivedAt: now, header: parsed.value.header, eventId, item } },
    DEFAULT_PROJECT_SETTINGS,
  )
  if (!result.ok) throw new Error(`The factory made an event that is dropped: ${result.error.outcome.reason}`)
  return group(scrub(result.value, DEFAULT_PROJECT_SETTINGS), DEFAULT_PROJECT_SETTINGS)
}
