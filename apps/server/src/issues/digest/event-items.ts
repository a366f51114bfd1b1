import type { Item } from '@firsthand/protocol'
import { hasFramesToMap, mapFrames, type Asked, type FrameResolver } from '../../artifacts/resolve/index.ts'
import type { ProjectSettings } from '../../accounts/settings.ts'
import type { NormalisedEvent, ProcessingError } from '../../event/event.ts'
import { attachRemarks, openDump, readMinidump, type Minidump } from '../../event/index.ts'
import type { EventRow } from '../events.store.ts'
import type { EventSummary, GroupedEvent } from '../grouped.ts'
import type { LedgerVerdict } from '../issues.store.ts'
import { applyEvents } from '../ledger/apply-events.ts'
import type { EventRows } from '../telemetry/event-rows.ts'
import { stackOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
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
export interface MadeEvent {
  readonly summary: EventSummary
  readonly row: EventRow
}

/** As it came; what its frames were written as is found out for a whole batch at once. */
export interface ReadEvent extends MadeEvent {
  /** Null where no map could say more. */
  readonly unmapped: NormalisedEvent | null
  readonly settings: ProjectSettings
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
  readonly frames: FrameResolver
  readonly logger: Logger
}): ItemKind<ReadEvent, MadeEvent, KnownIssue> => {
  const expand = expandEvent(parts.steps)
  const made = (item: DigestItem, grouped: GroupedEvent): MadeEvent => ({
    summary: summaryOf(grouped),
    row: parts.rows.encode(eventToStore(item, grouped)),
  })
  const withMappedFrames = async (item: DigestItem, value: ReadEvent, asked: Asked): Promise<MadeEvent> => {
    const { unmapped, settings, ...asItCame } = value
    const found = unmapped === null ? null : await parts.frames.find(item.sender.projectId, unmapped, asked)
    if (unmapped === null || found === null) return asItCame
    try {
      const work = new Work(READING_LIMITS.RULE_STEPS_PER_EVENT)
      return made(item, parts.steps.group(mapFrames(unmapped, found), settings, work))
    } catch (error) {
      parts.logger.error('digest: the frames of an event could not be mapped; it is stored as it came', {
        project: item.sender.projectId,
        error: stackOf(error),
      })
      return asItCame
    }
  }
  /** Projects of the batch that have anything to map frames by. */
  let withMaps: ReadonlySet<number> = new Set()
  return {
    name: EVENT_ITEMS,
    takes: ['event', 'raw_security', 'nel', OCCURRENCE],
    leads: ['event'],
    repeats: ['raw_security', 'nel'],
    recall: async (projectIds) => {
      withMaps = await parts.frames.projects(projectIds)
    },
    expand: (item, context) => {
      const grouped = item.item.header.type === OCCURRENCE ? readOccurrence(item) : expand(item, context)
      if (!grouped.ok) return grouped
      const { event } = grouped.value
      const isMapped = withMaps.has(item.sender.projectId) && hasFramesToMap(event)
      return ok({ ...made(item, grouped.value), unmapped: isMapped ? event : null, settings: context.settings })
    },
    prepare: async (entries) => {
      const ready: MadeEvent[] = []
      const asked = await parts.frames.ask(
        entries.flatMap(({ item, value: { unmapped: event } }) =>
          event === null ? [] : [{ projectId: item.sender.projectId, event }],
        ),
      )
      // One after the other: events of a batch mostly have the same maps, which are large, and are read once.
      for (const { item, value } of entries) ready.push(await withMappedFrames(item, value, asked))
      return ready
    },
    keyOf: (item, { summary }) => `${item.sender.projectId}:${summary.event.event_id}`,
    apply: async (work, entries, ready) => {
      const verdicts = await applyEvents(
        work,
        entries.map(({ item, value }, index) => ({
          organizationId: item.sender.organizationId,
          projectId: item.sender.projectId,
          keyId: item.sender.keyId,
          receivedAt: item.receivedAt,
          grouped: (ready[index] ?? value).summary,
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
        stored.map(({ entry, ready, stored: { issueId } }) => {
          const { organizationId, projectId } = entry.item.sender
          return { organizationId, projectId, issueId, row: ready.row }
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
