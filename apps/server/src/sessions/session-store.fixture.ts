import type { ClickHouseClient } from '@clickhouse/client'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { digestItem, RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import type { DigestItem, ItemKind, StoredEntry } from '../ingest/index.ts'
import { HOUR_MS } from '../lib/durations.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { createSessionItems } from './session-items.ts'
import { createUserNumber } from './user-number.ts'

/** A whole session, as one update tells of it. */
interface Run {
  readonly release: string
  readonly environment?: string
  readonly did?: string
  readonly status?: string
  readonly errors?: number
  /** Seconds. */
  readonly duration?: number
  /** When it began, milliseconds after an hour before it was received. */
  readonly at?: number
}

export type SessionStore = ReturnType<typeof sessionStore>

/** Puts sessions into telemetry on the way that those of SDKs take. */
export const sessionStore = (client: ClickHouseClient) => {
  const kind: ItemKind = createSessionItems({
    writer: createRowWriter({ client }),
    userNumber: createUserNumber(new Uint8Array(32)),
  })
  let made = 0
  let batches = 0
  return {
    run: (projectId: number, { at = 0, environment, release, ...more }: Run): DigestItem => {
      made += 1
      const started = new Date(RECEIVED_AT - HOUR_MS + at).toISOString()
      const payload = {
        sid: made.toString(16).padStart(32, '0'),
        init: true,
        started,
        timestamp: started,
        status: 'exited',
        errors: 0,
        ...more,
        attrs: { release, ...(environment !== undefined && { environment }) },
      }
      return digestItem(payload, { type: 'session', sender: { projectId }, header: { sentAt: null } })
    },
    store: async (items: readonly DigestItem[]): Promise<void> => {
      const entries = items.map((item): StoredEntry<unknown, unknown, unknown> => {
        const expanded = kind.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [item.item] })
        if (!expanded.ok) throw new Error(`A session was not taken: ${expanded.error.outcome.reason}`)
        return { entry: { item, value: expanded.value, id: () => '', followers: 0 }, ready: undefined, stored: null }
      })
      batches += 1
      const lost = await kind.write?.(entries, { token: `f:${batches}`, again: false })
      if (lost === undefined || lost.size > 0) throw new Error('Sessions were not written.')
    },
  }
}
