import { hash } from 'node:crypto'
import type { ErrorSteps } from '../../src/issues/digest/event-items.ts'
import type { NormalisedEvent } from '../../src/event/event.ts'
import { err, ok } from '../../src/lib/result.ts'

/** Steps that read their orders from the event: `{"message", "filter"?: reason, "throw"?: true}`. */
export const testSteps: ErrorSteps = {
  normalise: ({ payload, item }) => {
    let body: { message?: unknown; filter?: unknown; throw?: unknown }
    try {
      body = JSON.parse(Buffer.from(payload).toString())
    } catch {
      return err({ outcome: { kind: 'invalid', reason: 'invalid_json' } })
    }
    if (typeof body !== 'object' || body === null) return err({ outcome: { kind: 'invalid', reason: 'invalid_json' } })
    if (body.throw === true) throw new Error('a fault in normalise')
    return ok({
      event_id: item.eventId ?? '',
      type: 'error',
      timestamp: item.receivedAt / 1000,
      received: item.receivedAt / 1000,
      platform: 'other',
      level: 'error',
      logger: '',
      logentry: { formatted: String(body.message) },
      contexts: {},
      tags: typeof body.filter === 'string' ? [['filter', body.filter]] : [],
      errors: [],
    } satisfies NormalisedEvent)
  },
  filter: (event) => {
    const reason = event.tags.find(([key]) => key === 'filter')?.[1]
    return reason === undefined ? null : { outcome: { kind: 'filtered', reason } }
  },
  scrub: (event) => event,
  group: (event) => ({
    event,
    grouping: { version: 'test', hashes: [hash('md5', event.logentry?.formatted ?? '')] },
    decision: { variant: 'message', description: 'message' },
    title: { title: '', culprit: '', metadata: {} },
    unhandled: false,
  }),
}
