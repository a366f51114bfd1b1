import { hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { categoryOf, countOf, needsEventId, parseEnvelope } from '@firsthand/protocol'
import type { Envelope, EnvelopeHeader, Item } from '@firsthand/protocol'
import { stackOf } from '../../lib/error-text.ts'
import type { ProjectLookup, ProjectSettings } from '../../accounts/settings.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import { sizeOf, withFiles } from '../payload-file.ts'
import type { CountedDiscards, ReceiptBounds } from '../receipt-bounds.ts'
import type { AcceptedEnvelope, DigestItem, Drop, Outcome, OutcomeRow, SpoolPosition } from '../road.ts'
import { formatPosition } from '../spool/position.ts'
import type { SpooledRecord } from '../spool/spool-reader.ts'
import { drop } from './item-kind.ts'
import type { Entry, ItemKind, ItemPart } from './item-kind.ts'
import { createOutcomeTally } from './outcome-tally.ts'
import type { OutcomeTally } from './outcome-tally.ts'

/**
 * The CPU part of a batch: records → what is to be stored, and an outcome for every item whose end is known by now.
 * How `entries` end is the ledger's to say.
 */
export interface PreparedBatch {
  /** Where its first record starts. */
  readonly start: SpoolPosition
  readonly end: SpoolPosition
  readonly records: number
  /** Of its records in the spool. */
  readonly bytes: number
  /** One list for each kind, in the order of the kinds. */
  readonly entries: readonly (readonly PreparedEntry[])[]
  readonly outcomes: OutcomeTally
  /** What its client reports count; given back when its records are prepared again. */
  readonly discards: CountedDiscards
  readonly faulty: readonly FaultyItem[]
}

export interface PreparedEntry extends Entry<unknown> {
  /** Counted while the envelope is read. */
  followers: number
  /** The entry whose end it shares. */
  readonly leader: EntryPlace | null
  /** How it ends when it is stored. */
  readonly outcome: Outcome
  /** How many things end with it. */
  readonly quantity: number
}

/** Where an entry stands in `PreparedBatch.entries`. */
export interface EntryPlace {
  readonly kind: number
  readonly index: number
}

/** An item that a fault of ours keeps from being stored: it goes into quarantine. */
export interface FaultyItem {
  readonly item: DigestItem
  readonly id: string
  readonly error: string
}

export interface Preparation {
  readonly spool: string
  readonly kinds: ItemKinds
  readonly projects: Pick<ProjectLookup, 'byProjectId'>
  readonly logger: Logger
  /** Lives as long as the digest. */
  readonly bounds: ReceiptBounds
  /** Told what each record took, in milliseconds; the batch ends with the one for which it answers true. */
  readonly isEnough?: (position: SpoolPosition, ms: number) => boolean
  /** True when the ledger cannot take what this record holds, or the thread dies over it: all its items end as `internal_error`. */
  readonly isRefused: (position: SpoolPosition) => boolean
}

/** The kinds, and what is looked up about item types. */
export interface ItemKinds {
  readonly all: readonly ItemKind[]
  /** Index in `all` of the kind that takes an item type. */
  readonly byType: ReadonlyMap<string, number>
  readonly leading: ReadonlySet<string>
  readonly following: ReadonlySet<string>
  readonly repeating: ReadonlySet<string>
}

/**
 * @param waiting Types that still waited for their capability when the batch was made: they stay with the kind that kept
 *   them. Without it, whoever takes them by now has them.
 */
export const itemKinds = (all: readonly ItemKind[], waiting: readonly string[] = []): ItemKinds => {
  const byType = new Map<string, number>()
  all.forEach((kind, index) => {
    for (const type of kind.takes) {
      const other = byType.get(type)
      if (other !== undefined) throw new Error(`${kind.name} and ${all[other]?.name} both take items of type ${type}.`)
      byType.set(type, index)
    }
  })
  all.forEach((kind, index) => {
    for (const type of kind.takesUntilOthersDo ?? []) {
      if (!byType.has(type) || waiting.includes(type)) byType.set(type, index)
    }
  })
  return {
    all,
    byType,
    leading: new Set(all.flatMap((kind) => kind.leads ?? [])),
    following: new Set(all.flatMap((kind) => kind.follows ?? [])),
    repeating: new Set(all.flatMap((kind) => kind.repeats ?? [])),
  }
}

/** Types that nothing takes but a kind that keeps them until another one does. */
export const waitingTypes = (all: readonly ItemKind[]): readonly string[] => {
  const taken = new Set(all.flatMap(({ takes }) => takes))
  return all.flatMap(({ takesUntilOthersDo = [] }) => takesUntilOthersDo.filter((type) => !taken.has(type)))
}

/** @param beforeExpanding called when all that it takes is read, before any record is looked into */
export const prepareBatch = async (
  records: readonly SpooledRecord[],
  end: SpoolPosition,
  preparation: Preparation,
  beforeExpanding: () => void = () => undefined,
): Promise<PreparedBatch> => {
  const settings = await readSettings(records, preparation.projects)
  for (const kind of preparation.kinds.all) await kind.recall?.([...settings.keys()])
  beforeExpanding()
  const batch: Draft = {
    preparation,
    entries: preparation.kinds.all.map(() => []),
    faulty: [],
    outcomes: createOutcomeTally(preparation.bounds),
    discards: new Map(),
    seen: new Set(),
  }
  let expanded: number
  try {
    expanded = await expandAll(records, settings, batch)
  } catch (error) {
    preparation.bounds.giveBack(batch.discards)
    throw error
  }
  const { entries, outcomes, discards, faulty } = batch
  const start = records[0]?.position ?? end
  const done = records.slice(0, expanded)
  const bytes = done.reduce((sum, record) => sum + record.end.offset - record.position.offset, 0)
  const until = expanded < records.length ? (done.at(-1)?.end ?? end) : end
  return { start, end: until, records: expanded, bytes, entries, outcomes, discards, faulty }
}

/** @returns how many of the records are in the batch: those behind them would have made it take too long */
const expandAll = async (
  records: readonly SpooledRecord[],
  settings: ReadonlyMap<number, ProjectSettings>,
  batch: Draft,
): Promise<number> => {
  let sinceTurn = 0
  for (const [index, { record, position }] of records.entries()) {
    const started = performance.now()
    if (record.kind === 'outcomes') for (const row of record.outcomes) batch.outcomes.add(row)
    else {
      expandEnvelope(record, position, settings.get(record.sender.projectId) ?? null, batch)
      sinceTurn += record.body.byteLength
    }
    if (batch.preparation.isEnough?.(position, performance.now() - started) === true) return index + 1
    if (sinceTurn >= LIMITS.DIGEST_TURN_BYTES) {
      sinceTurn = 0
      await turn()
    }
  }
  return records.length
}

interface Draft {
  readonly preparation: Preparation
  readonly entries: readonly PreparedEntry[][]
  readonly faulty: FaultyItem[]
  readonly outcomes: OutcomeTally
  readonly discards: CountedDiscards
  /** Keys of its entries, with the index of their kind. */
  readonly seen: Set<string>
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

/** An item ended here, or ends with an entry of the batch when the stores have spoken. */
type End =
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  | { readonly kind: 'entry'; readonly place: EntryPlace }

const ACCEPTED: Outcome = { kind: 'accepted', reason: '' }
const INTERNAL_ERROR: End = { kind: 'ended', outcome: { kind: 'invalid', reason: 'internal_error' } }
const dropped = ({ outcome }: Drop): End => ({ kind: 'ended', outcome })

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
  const { spool, kinds, isRefused } = batch.preparation
  const refused = isRefused(position)
  let endOfLeader: End | null = null
  for (const { item, index } of leadersFirst(identifyItems(record, position, envelope, batch.preparation), kinds)) {
    const { type } = item.item.header
    const leader: End | null = kinds.following.has(type) ? endOfLeader : null
    const end: End =
      settings === null
        ? dropped(drop('invalid', 'unknown_project', 'the project was deleted'))
        : decide({
            item,
            id: () => itemId(spool, position, index),
            settings,
            siblings: envelope.items,
            leader,
            refused,
            batch,
          })
    if (kinds.leading.has(type)) endOfLeader ??= end
    if (end.kind === 'ended') batch.outcomes.add(itemOutcome(item, end.outcome))
  }
}

const readEnvelope = (record: AcceptedEnvelope, position: SpoolPosition, batch: Draft): Envelope | null => {
  const parsed = parseEnvelope(record.body)
  if (parsed.ok) return withFiles(parsed.value, record.files ?? [])
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
  readonly id: () => string
  /** All items of the envelope. */
  readonly siblings: readonly Item[]
  /** The end of the item that this one belongs to. */
  readonly leader: End | null
  /** The ledger refuses what its record holds, or the thread dies over it. */
  readonly refused: boolean
  readonly batch: Draft
}

/** Decides about one item and puts what is to be stored into the batch. */
const decide = ({ item, settings, id, siblings, leader, refused, batch }: Candidate): End => {
  if (refused) return setAside({ item, id: id(), error: 'the digest cannot take it' }, batch)
  // An attachment of an event that was filtered would be the attachment of nothing. A fault of ours is no such reason.
  if (leader?.kind === 'ended' && leader !== INTERNAL_ERROR) return leader
  const { kinds } = batch.preparation
  const at = kinds.byType.get(item.item.header.type)
  const kind = at === undefined ? undefined : kinds.all[at]
  if (at === undefined || kind === undefined) return dropped(drop('invalid', 'unknown_item_type'))
  let expanded: Result<unknown, Drop>
  try {
    expanded = kind.expand(item, { settings, siblings })
  } catch (error) {
    const text = stackOf(error)
    return setAside({ item, id: id(), error: text }, batch)
  }
  if (!expanded.ok) return dropped(expanded.error)
  const { value } = expanded
  if (kind.receiptsOf !== undefined) {
    const { bounds } = batch.preparation
    for (const row of bounds.discards(kind.receiptsOf(value), batch.discards)) batch.outcomes.add(row)
  }
  // Nothing of it is stored: what it says is in the receipts.
  if (kind.apply === undefined && kind.write === undefined) return { kind: 'ended', outcome: ACCEPTED }
  endParts(item, kind.partsOf?.(value) ?? [], batch)
  const quantity = kind.quantityOf?.(value) ?? countOf(item.item)
  return take(value, { item, id, leader, batch, quantity }, { kind, at })
}

/** Counts the parts that have ended. */
const endParts = (item: DigestItem, parts: readonly ItemPart[], { outcomes }: Draft): void => {
  for (const { quantity, outcome, category } of parts) {
    const row = { ...itemOutcome(item, outcome, quantity), bytes: 0 }
    outcomes.add(category === undefined ? row : { ...row, category })
  }
}

/** A fault of ours must not stop the road: this item alone ends here, and can be looked at later. */
const setAside = (item: FaultyItem, batch: Draft): End => {
  batch.faulty.push(item)
  return INTERNAL_ERROR
}

const take = (
  value: unknown,
  {
    item,
    id,
    leader,
    batch,
    quantity,
  }: Pick<Candidate, 'item' | 'id' | 'leader' | 'batch'> & { readonly quantity: number },
  { kind, at }: { readonly kind: ItemKind; readonly at: number },
): End => {
  const key = kind.keyOf?.(item, value)
  if (key !== undefined) {
    const known = `${at} ${key}`
    if (batch.seen.has(known)) return dropped(drop('duplicate', 'duplicate'))
    batch.seen.add(known)
  }
  const place = leader?.kind === 'entry' ? leader.place : null
  const outcome = leader?.kind === 'ended' ? leader.outcome : ACCEPTED
  const led = place === null ? undefined : batch.entries[place.kind]?.[place.index]
  if (led !== undefined) led.followers += 1
  const own = batch.entries[at]
  if (own === undefined) throw new Error(`The batch has no entries of kind ${kind.name}.`)
  own.push({ item, id, value, followers: 0, leader: place, outcome, quantity })
  return { kind: 'entry', place: { kind: at, index: own.length - 1 } }
}

/**
 * Gives every item the id of its event. The envelope's belongs to the item that leads it, or to the first of those that
 * may be repeated; the others of these have ids of their own.
 */
const identifyItems = (
  record: AcceptedEnvelope,
  position: SpoolPosition,
  envelope: Envelope,
  { spool, kinds }: Pick<Preparation, 'spool' | 'kinds'>,
): DigestItem[] => {
  let taken = false
  return envelope.items.map((item, index) => {
    const { type } = item.header
    const repeats = kinds.repeating.has(type)
    const own = repeats && taken
    taken ||= repeats || kinds.leading.has(type)
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
const leadersFirst = (items: readonly DigestItem[], kinds: ItemKinds): { item: DigestItem; index: number }[] => {
  const numbered = items.map((item, index) => ({ item, index }))
  if (items.length < 2) return numbered
  const leads = ({ item }: { item: DigestItem }): boolean => kinds.leading.has(item.item.header.type)
  return [...numbered.filter(leads), ...numbered.filter((entry) => !leads(entry))]
}

/** @param quantity how many things ended so */
export const itemOutcome = (item: DigestItem, outcome: Outcome, quantity = countOf(item.item)): OutcomeRow =>
  outcomeRow(item, item.item.header.type, quantity, sizeOf(item.item), outcome)

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
