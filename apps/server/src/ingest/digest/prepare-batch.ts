import { hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { categoryOf, countOf, isKnownItemType, needsEventId, parseEnvelope } from '@firsthand/protocol'
import type { Envelope, EnvelopeHeader, Item } from '@firsthand/protocol'
import type { ProjectLookup, ProjectSettings } from '../../accounts/settings.ts'
import type { EventRow, TelemetryStore } from '../../issues/events.store.ts'
import type { EventSummary } from '../../issues/grouped.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Result } from '../../lib/result.ts'
import { LIMITS } from '../../limits.ts'
import type { AcceptedEnvelope, DigestItem, Drop, Outcome, OutcomeRow, SpoolPosition } from '../road.ts'
import { formatPosition } from '../spool/position.ts'
import type { SpooledRecord } from '../spool/spool-reader.ts'
import { eventToStore, summaryOf } from './event-to-store.ts'
import { createOutcomeTally } from './outcome-tally.ts'
import type { OutcomeTally } from './outcome-tally.ts'
import { drop } from './processor.ts'
import type { Expanded, ExpandedFeedback, Processor } from './processor.ts'

/**
 * The CPU part of a batch: records → what is to be stored, and an outcome for every item whose fate is known by now.
 * The fate of `events`, and of the attachments that belong to them, is the ledger's to say.
 */
export interface PreparedBatch {
  /** Where its first record starts. */
  readonly start: SpoolPosition
  readonly end: SpoolPosition
  readonly records: number
  readonly events: readonly PreparedEvent[]
  readonly feedback: readonly PreparedFeedback[]
  readonly kept: readonly PreparedItem[]
  readonly outcomes: OutcomeTally
  readonly poison: readonly PoisonItem[]
}

export interface PreparedEvent {
  readonly item: DigestItem
  readonly summary: EventSummary
  readonly row: EventRow
}

export interface PreparedFeedback extends ExpandedFeedback {
  readonly item: DigestItem
  /** Counted while the envelope is read. */
  attachments: number
}

export interface PreparedItem {
  readonly item: DigestItem
  /** 32 hex characters, from where the item stands in the spool. */
  readonly id: string
  /** Index in `events` of the event that an attachment shares its fate with. */
  readonly owner: number | null
  /** Index in `feedback` of the report that an attachment shares its fate with. */
  readonly report: number | null
  /** How it ends when it shares nobody's fate, and is stored. */
  readonly outcome: Outcome
}

/** An item that made its processor throw. */
export interface PoisonItem {
  readonly item: DigestItem
  readonly id: string
  readonly error: string
}

export interface Preparation {
  readonly spool: string
  readonly processors: ReadonlyMap<string, Processor>
  readonly projects: Pick<ProjectLookup, 'byProjectId'>
  readonly telemetry: Pick<TelemetryStore, 'encode'>
  readonly logger: Logger
  /** True when the ledger cannot take what this record holds: all its items end as `internal_error`. */
  readonly isPoison: (position: SpoolPosition) => boolean
}

export const prepareBatch = async (
  records: readonly SpooledRecord[],
  end: SpoolPosition,
  preparation: Preparation,
): Promise<PreparedBatch> => {
  const settings = await readSettings(records, preparation.projects)
  const batch: Draft = {
    preparation,
    events: [],
    feedback: [],
    kept: [],
    poison: [],
    outcomes: createOutcomeTally(),
    seen: new Set(),
    unknownTypes: new Set(),
  }
  let sinceTurn = 0
  for (const { record, position } of records) {
    if (record.kind === 'outcomes') for (const row of record.outcomes) batch.outcomes.add(row)
    else {
      expandEnvelope(record, position, settings.get(record.sender.projectId) ?? null, batch)
      sinceTurn += record.body.byteLength
    }
    if (sinceTurn >= LIMITS.DIGEST_TURN_BYTES) {
      sinceTurn = 0
      await turn()
    }
  }
  const { events, feedback, kept, outcomes, poison } = batch
  return { start: records[0]?.position ?? end, end, records: records.length, events, feedback, kept, outcomes, poison }
}

interface Draft {
  readonly preparation: Preparation
  readonly events: PreparedEvent[]
  readonly feedback: PreparedFeedback[]
  readonly kept: PreparedItem[]
  readonly poison: PoisonItem[]
  readonly outcomes: OutcomeTally
  /** Events of this batch by project and id. */
  readonly seen: Set<string>
  readonly unknownTypes: Set<string>
}

const readSettings = async (
  records: readonly SpooledRecord[],
  projects: Pick<ProjectLookup, 'byProjectId'>,
): Promise<Map<number, ProjectSettings>> => {
  const ids = new Set<number>()
  for (const { record } of records) if (record.kind === 'envelope') ids.add(record.sender.projectId)
  const settings = new Map<number, ProjectSettings>()
  for (const id of ids) {
    const project = await projects.byProjectId(id)
    if (project !== null) settings.set(id, project.settings)
  }
  return settings
}

/** What became of an item: it ended here, or ends with event, report or kept item number … of the batch, when the stores have spoken. */
type Fate =
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  | { readonly kind: 'event' | 'feedback' | 'kept'; readonly index: number }

/** Items whose attachments follow in the same envelope. */
const OWNERS: ReadonlySet<string> = new Set(['event', 'feedback'])

const ACCEPTED: Fate & { readonly kind: 'ended' } = { kind: 'ended', outcome: { kind: 'accepted', reason: '' } }
const INTERNAL_ERROR: Fate = { kind: 'ended', outcome: { kind: 'invalid', reason: 'internal_error' } }
const dropped = ({ outcome }: Drop): Fate => ({ kind: 'ended', outcome })

const expandEnvelope = (
  record: AcceptedEnvelope,
  position: SpoolPosition,
  settings: ProjectSettings | null,
  batch: Draft,
): void => {
  const envelope = readEnvelope(record, position, batch)
  if (envelope === null) return
  if (envelope.items.length === 0) {
    batch.outcomes.add(outcomeRow(record, '', 1, record.body.byteLength, { kind: 'invalid', reason: 'empty_envelope' }))
    return
  }
  const { spool, isPoison } = batch.preparation
  const broken = isPoison(position)
  let fateOfEvent: Fate | null = null
  for (const { item, index } of eventsFirst(identifyItems(record, position, envelope, spool))) {
    const { type } = item.item.header
    const owner: Fate | null = type === 'attachment' ? fateOfEvent : null
    const fate: Fate =
      settings === null
        ? dropped(drop('invalid', 'unknown_project', 'the project was deleted'))
        : decide({ item, idOf: () => itemId(spool, position, index), settings, owner, broken, batch })
    if (OWNERS.has(type)) fateOfEvent ??= fate
    if (fate.kind === 'ended') {
      batch.outcomes.add({ ...itemOutcome(item, fate.outcome), itemType: shownType(type, batch) })
    }
  }
}

const readEnvelope = (record: AcceptedEnvelope, position: SpoolPosition, batch: Draft): Envelope | null => {
  const parsed = parseEnvelope(record.body)
  if (parsed.ok) return parsed.value
  // The door let it in, so it could be read there.
  batch.preparation.logger.error('digest: an accepted envelope cannot be read; it is counted as invalid', {
    position: formatPosition(position),
    project: record.sender.projectId,
    error: parsed.error.message,
  })
  const outcome: Outcome = { kind: 'invalid', reason: 'invalid_envelope' }
  batch.outcomes.add(outcomeRow(record, '', 1, record.body.byteLength, outcome))
  return null
}

interface Candidate {
  readonly item: DigestItem
  readonly settings: ProjectSettings
  /** Few items need it, and it costs a hash. */
  readonly idOf: () => string
  /** The fate of the event that the item belongs to. */
  readonly owner: Fate | null
  readonly broken: boolean
  readonly batch: Draft
}

const NO_ROW: EventRow = { bytes: new Uint8Array(0), stacks: [] }

/** Decides about one item and puts what is to be stored into the batch. */
const decide = ({ item, settings, idOf, owner, broken, batch }: Candidate): Fate => {
  if (broken) return setAside({ item, id: idOf(), error: 'the ledger cannot store it' }, batch)
  // An attachment of an event that was filtered would be the attachment of nothing. A fault of ours is no such reason.
  if (owner?.kind === 'ended' && owner !== INTERNAL_ERROR) return owner
  const processor = batch.preparation.processors.get(item.item.header.type)
  if (processor === undefined) return dropped(drop('invalid', 'unknown_item_type'))
  let expanded: Result<Expanded, Drop>
  let row: EventRow = NO_ROW
  try {
    expanded = processor.expand(item, { settings })
    if (expanded.ok && expanded.value.kind === 'event') {
      row = batch.preparation.telemetry.encode(eventToStore(item, expanded.value.grouped))
    }
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return setAside({ item, id: idOf(), error: text }, batch)
  }
  return expanded.ok ? take(expanded.value, { item, row, idOf, owner, batch }) : dropped(expanded.error)
}

/** A fault of ours must not stop the road: this item alone ends here, and can be looked at later. */
const setAside = (item: PoisonItem, batch: Draft): Fate => {
  batch.poison.push(item)
  return INTERNAL_ERROR
}

const take = (
  expanded: Expanded,
  { item, row, idOf, owner, batch }: Pick<Candidate, 'item' | 'idOf' | 'owner' | 'batch'> & { readonly row: EventRow },
): Fate => {
  if (expanded.kind === 'event') {
    const key = `${item.sender.projectId}:${expanded.grouped.event.event_id}`
    if (batch.seen.has(key)) return dropped(drop('duplicate', 'duplicate'))
    batch.seen.add(key)
    batch.events.push({ item, row, summary: summaryOf(expanded.grouped) })
    return { kind: 'event', index: batch.events.length - 1 }
  }
  if (expanded.kind === 'kept') {
    const event = owner?.kind === 'event' ? owner.index : null
    const report = owner?.kind === 'feedback' ? owner.index : null
    const { outcome } = owner?.kind === 'ended' ? owner : ACCEPTED
    batch.kept.push({ item, id: idOf(), owner: event, report, outcome })
    const reported = report === null ? undefined : batch.feedback[report]
    if (reported !== undefined) reported.attachments += 1
    return { kind: 'kept', index: batch.kept.length - 1 }
  }
  if (expanded.kind === 'feedback') {
    const { kind: _kind, ...report } = expanded
    batch.feedback.push({ item, ...report, attachments: 0 })
    return { kind: 'feedback', index: batch.feedback.length - 1 }
  }
  for (const row of expanded.rows) batch.outcomes.add(row)
  return ACCEPTED
}

/**
 * Gives every item the id of its event. The envelope's belongs to its first event; browser reports beyond the first are
 * events of their own.
 */
const identifyItems = (
  record: AcceptedEnvelope,
  position: SpoolPosition,
  envelope: Envelope,
  spool: string,
): DigestItem[] => {
  let taken = false
  return envelope.items.map((item, index) => {
    const { type } = item.header
    const report = type === 'raw_security' || type === 'nel'
    const own = report && taken
    taken ||= report || type === 'event'
    return {
      sender: record.sender,
      receivedAt: record.receivedAt,
      header: envelope.header,
      eventId: own ? itemId(spool, position, index) : eventIdOf(envelope.header, item, spool, position),
      item,
    }
  })
}

const eventIdOf = (header: EnvelopeHeader, item: Item, spool: string, position: SpoolPosition): string | null => {
  if (header.eventId !== null) return header.eventId
  return needsEventId(item.header.type) ? itemId(spool, position, -1) : null
}

const itemId = (spool: string, position: SpoolPosition, index: number): string =>
  hash('md5', `${spool}:${formatPosition(position)}:${index}`, 'hex')

/** Attachments may stand before their event. */
const eventsFirst = (items: readonly DigestItem[]): { item: DigestItem; index: number }[] => {
  const numbered = items.map((item, index) => ({ item, index }))
  if (items.length < 2) return numbered
  const isEvent = ({ item }: { item: DigestItem }): boolean => OWNERS.has(item.item.header.type)
  return [...numbered.filter(isEvent), ...numbered.filter((entry) => !isEvent(entry))]
}

/** Unknown types are free text of the sender; only so many different ones get a row of their own. */
const shownType = (type: string, batch: Draft): string => {
  if (isKnownItemType(type) || batch.unknownTypes.has(type)) return type
  if (batch.unknownTypes.size >= LIMITS.UNKNOWN_ITEM_TYPES_PER_BATCH) return 'other'
  batch.unknownTypes.add(type)
  return type
}

export const itemOutcome = (item: DigestItem, outcome: Outcome): OutcomeRow =>
  outcomeRow(item, item.item.header.type, Math.max(1, countOf(item.item)), item.item.payload.byteLength, outcome)

const outcomeRow = (
  from: Pick<DigestItem, 'sender' | 'receivedAt'>,
  itemType: string,
  quantity: number,
  bytes: number,
  outcome: Outcome,
): OutcomeRow => ({
  organizationId: from.sender.organizationId,
  projectId: from.sender.projectId,
  keyId: from.sender.keyId,
  timestamp: from.receivedAt,
  outcome: outcome.kind,
  reason: outcome.reason,
  itemType,
  category: categoryOf(itemType),
  sdk: from.sender.sdk,
  quantity,
  bytes,
})
