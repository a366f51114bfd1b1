import type { Item } from '@firsthand/protocol'
import type { ProjectSettings } from '../../accounts/settings.ts'
import type { NormalisedEvent, ProcessingError } from '../../event/event.ts'
import { attachRemarks, openDump, readMinidump, type Minidump } from '../../event/index.ts'
import type { EventRow } from '../events.store.ts'
import type { EventSummary, GroupedEvent } from '../grouped.ts'
import type { LedgerVerdict } from '../issues.store.ts'
import { applyEvents } from '../ledger/apply-events.ts'
import type { EventRows } from '../telemetry/event-rows.ts'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { Work } from '../../lib/work.ts'
import { LIMITS as READING_LIMITS } from '../../event/limits.ts'
import { LIMITS } from '../limits.ts'
import { eventToStore, summaryOf } from './event-to-store.ts'
import { OCCURRENCE, readOccurrence } from './read-occurrence.ts'
import {
  fileOf,
  type DigestItem,
  type Drop,
  type ExpandContext,
  type ItemKind,
  type Outcome,
  type Sender,
} from '../../ingest/index.ts'

/** The pure steps of an error event, in reading order. compose hands them in. */
export interface ErrorSteps {
  /** Tolerant reading (protocol.md 3.1): only a payload that is no event at all is dropped. */
  readonly normalise: (
    input: { readonly payload: Uint8Array; readonly item: DigestItem; readonly minidump?: Minidump | undefined },
    settings: ProjectSettings,
  ) => Result<NormalisedEvent, Drop>
  /** Inbound filters. They see what was sent: localhost and IP filters need what scrubbing removes. */
  readonly filter: (event: NormalisedEvent, sender: Sender, settings: ProjectSettings, work: Work) => Drop | null
  /** Before grouping, so that nothing sensitive gets into a hash, a title or "why grouped" (protocol.md 4.4). */
  readonly scrub: (event: NormalisedEvent, settings: ProjectSettings) => NormalisedEvent
  readonly group: (event: NormalisedEvent, settings: ProjectSettings, work: Work) => GroupedEvent
}

/** What waits in a batch for the ledger: small, because a batch holds hundreds. */
export interface ReadEvent {
  readonly summary: EventSummary
  readonly row: EventRow
}

/** What the ledger made of an event. */
type KnownIssue = Extract<LedgerVerdict, { kind: 'stored' }>

/** What live updates are told of a project. Plain data. */
export interface EventNews {
  /** Issues that got an event. */
  readonly issueIds: readonly number[]
  readonly opened: readonly number[]
  readonly regressed: readonly number[]
  /** At most `FACT_EVENTS`, the newest. */
  readonly events: readonly { readonly eventId: string; readonly issueId: number }[]
}

/** The pure part: an item becomes an event that knows where it belongs. */
export const expandEvent =
  ({ normalise, filter, scrub, group }: ErrorSteps) =>
  (item: DigestItem, { settings, siblings }: ExpandContext): Result<GroupedEvent, Drop> => {
    const dump = siblings.find(({ header }) => header.attachmentType === MINIDUMP)
    const normalised = withDump(dump, (read) => {
      const minidump = read?.ok === true ? read.value : undefined
      const event = normalise({ payload: item.item.payload, item, minidump }, settings)
      if (event.ok && read?.ok === false) event.value.errors.push(unreadableDump(read.error))
      return event
    })
    if (!normalised.ok) return normalised
    const work = new Work(READING_LIMITS.RULE_STEPS_PER_EVENT)
    const filtered = filter(normalised.value, item.sender, settings, work)
    if (filtered !== null) return err(filtered)
    const scrubbed = attachRemarks(scrub(normalised.value, settings))
    return ok(group(scrubbed, settings, work))
  }

/** What the attachment of an event is called that holds a crash dump. */
const MINIDUMP = 'event.minidump'

/** What is said of a dump may be looked up in it while `use` runs, and no longer. */
const withDump = <Value>(
  dump: Item | undefined,
  use: (read: ReturnType<typeof readMinidump> | undefined) => Value,
): Value => {
  if (dump === undefined) return use(undefined)
  const file = fileOf(dump)
  if (file === null) return use(readMinidump(dump.payload))
  const opened = openDump(file.path)
  if (!opened.ok) return use(opened)
  try {
    return use(readMinidump(opened.value))
  } finally {
    opened.value.close()
  }
}

const unreadableDump = (fault: Error): ProcessingError => ({
  type: 'invalid_data',
  name: 'minidump',
  reason: `the crash dump could not be read: ${fault.message}`,
})

/** Error events, messages, and browser reports, which become issues. */
export const createEventItems = (parts: {
  readonly steps: ErrorSteps
  readonly rows: EventRows
}): ItemKind<ReadEvent, undefined, KnownIssue> => {
  const expand = expandEvent(parts.steps)
  return {
    name: EVENT_ITEMS,
    takes: ['event', 'raw_security', 'nel', OCCURRENCE],
    leads: ['event'],
    repeats: ['raw_security', 'nel'],
    expand: (item, context) => {
      const grouped = item.item.header.type === OCCURRENCE ? readOccurrence(item) : expand(item, context)
      if (!grouped.ok) return grouped
      const row = parts.rows.encode(eventToStore(item, grouped.value))
      return ok({ summary: summaryOf(grouped.value), row })
    },
    keyOf: (item, { summary }) => `${item.sender.projectId}:${summary.event.event_id}`,
    apply: async (work, entries) => {
      const verdicts = await applyEvents(
        work,
        entries.map(({ item, value }) => ({
          organizationId: item.sender.organizationId,
          projectId: item.sender.projectId,
          keyId: item.sender.keyId,
          receivedAt: item.receivedAt,
          grouped: value.summary,
        })),
      )
      return verdicts.map((verdict) =>
        verdict.kind === 'stored'
          ? { isStored: true, stored: verdict }
          : { isStored: false, outcome: outcomeOf(verdict) },
      )
    },
    write: (stored, to) =>
      parts.rows.write(
        stored.map(({ entry, stored: { issueId } }) => {
          const { organizationId, projectId } = entry.item.sender
          return { organizationId, projectId, issueId, row: entry.value.row }
        }),
        to,
      ),
    announce: (stored) =>
      [...Map.groupBy(stored, ({ entry }) => entry.item.sender.projectId)].flatMap(([projectId, own]) => {
        const [first] = own
        if (first === undefined) return []
        const idsOf = (which: (issue: KnownIssue) => boolean): number[] => [
          ...new Set(own.flatMap(({ stored: issue }) => (which(issue) ? [issue.issueId] : []))),
        ]
        const data: EventNews = {
          issueIds: idsOf(() => true),
          opened: idsOf((issue) => issue.opened),
          regressed: idsOf((issue) => issue.regressed),
          events: own
            .slice(-LIMITS.FACT_EVENTS)
            .map(({ entry, stored: { issueId } }) => ({ eventId: entry.value.summary.event.event_id, issueId })),
        }
        return [{ organizationId: first.entry.item.sender.organizationId, projectId, data }]
      }),
  }
}

/** Name of the kind, by which its news are known. */
export const EVENT_ITEMS = 'events'

const outcomeOf = (verdict: Exclude<LedgerVerdict, KnownIssue>): Outcome => {
  if (verdict.kind === 'duplicate') return { kind: 'duplicate', reason: 'duplicate' }
  return { kind: verdict.reason === 'discarded_hash' ? 'filtered' : 'invalid', reason: verdict.reason }
}
