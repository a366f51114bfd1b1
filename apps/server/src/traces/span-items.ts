import { filter, scrubAttributes, surroundingsOf } from '../event/index.ts'
import { LIMITS as READING_LIMITS } from '../event/limits.ts'
import type { NormalisedEvent } from '../event/event.ts'
import type { DigestItem, Drop, ExpandContext, ItemKind, ItemPart } from '../ingest/index.ts'
import { drop } from '../ingest/index.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { Work } from '../lib/work.ts'
import { insertRowsOfItems, type EncodedRow, type RowWriter } from '../storage/telemetry/row-writer.ts'
import { LIMITS } from './limits.ts'
import { noteSpans } from './ledger/span-days.ts'
import { NAMES_BY_FORM, type Names } from './names/names.ts'
import { saysNothing } from './read/names.ts'
import { completeFrom, profileBeside, rootBeside } from './read/beside.ts'
import { readContainer, type ReadSpans } from './read/read-container.ts'
import { readOtlp } from './read/read-otlp.ts'
import { readStandaloneSpan, readTransaction } from './read/read-transaction.ts'
import { childrenTimes } from './children-times.ts'
import type { ReadSpan } from './span.ts'
import { createSpanCounter, mergeNews, shareRoom, SPAN_ITEMS, type TraceNews } from './span-news.ts'
import { contentOf, encodeSpan, SEGMENTS, sentTransaction, SPANS } from './telemetry/span-row.ts'

/** Spans of an item as they wait for telemetry. */
interface SpansToStore {
  readonly spans: readonly EncodedRow[]
  readonly segments: readonly EncodedRow[]
  readonly news: readonly TraceNews[]
  readonly parts: readonly ItemPart[]
  /** How many things the item counts as: a transaction is one, of a container each span is one. */
  readonly quantity: number
}

/** The content type of a container; a `span` without it is a single one of an older SDK (protocol.md 3.2). */
const CONTAINER = 'application/vnd.sentry.items.span.v2+json'

type Read = ReadSpans & {
  readonly surroundings: NormalisedEvent | null
  /** The transaction that it came with. */
  readonly root?: ReadSpan
}

const read = (item: DigestItem, siblings: ExpandContext['siblings']): Result<Read, Drop> => {
  const { header } = item.item
  if (header.type === 'transaction') return readTransaction(item, () => profileBeside(item, siblings))
  if (header.type === 'otel_traces_data' || header.type === 'otel_span') return alone(readOtlp(item))
  const isContainer = header.contentType === CONTAINER || (header.contentType === null && header.itemCount !== null)
  if (!isContainer) return alone(readStandaloneSpan(item))
  const spans = readContainer(item)
  const beside = rootBeside(item, siblings)
  if (!spans.ok || beside === null) return alone(spans)
  const { root, surroundings } = beside
  return ok({ ...spans.value, spans: completeFrom(root, spans.value.spans), root, surroundings })
}

/** Without an event around them: what the filters look at is in the attributes of the spans. */
const alone = (spans: Result<ReadSpans, Drop>): Result<Read, Drop> =>
  spans.ok ? ok({ ...spans.value, surroundings: null }) : spans

const partsOf = (item: DigestItem, { unreadable, beyondLimit }: ReadSpans): readonly ItemPart[] => {
  const parts: readonly ItemPart[] = [
    { quantity: unreadable, outcome: { kind: 'invalid', reason: 'invalid_span' } },
    { quantity: beyondLimit, outcome: { kind: 'invalid', reason: 'too_many_spans' } },
  ]
  const ended = parts.filter(({ quantity }) => quantity > 0)
  // A transaction counts as one; its spans are counted beside it.
  return item.item.header.type === 'transaction' ? ended.map((part) => ({ ...part, category: 'span' })) : ended
}

/**
 * What transactions are called whose spans say only `Pageload` (SDK 11 without a router). The root knows its address; web
 * vitals of the page come when it is left, long after the root.
 */
const createRoots = () => {
  const known = new RecentMap<string, string>(LIMITS.ROOTS_REMEMBERED)
  const keyOf = (projectId: number, { traceId, segmentId }: ReadSpan): string => `${projectId} ${traceId} ${segmentId}`
  const isNameless = ({ attributes }: ReadSpan): boolean => {
    const sent = attributes['sentry.segment.name']
    return typeof sent === 'string' && saysNothing(sent)
  }
  return {
    note: (projectId: number, root: ReadSpan, name: string): void => {
      if (isNameless(root)) known.set(keyOf(projectId, root), name)
    },
    nameOf: (projectId: number, span: ReadSpan): string | undefined =>
      isNameless(span) ? known.get(keyOf(projectId, span)) : undefined,
  }
}

type Roots = ReturnType<typeof createRoots>

const expandWith =
  (names: Names, knownRoots: Roots) =>
  (item: DigestItem, { settings, siblings }: ExpandContext): Result<SpansToStore, Drop> => {
    const found = read(item, siblings)
    if (!found.ok) return found
    const { root, spans, surroundings } = found.value
    if (spans.length === 0) return err(drop('invalid', 'invalid_span', 'None of its spans can be read.'))
    const work = new Work(READING_LIMITS.RULE_STEPS_PER_EVENT)
    const filtered = filter(surroundings ?? surroundingsOf(item, spans), item.sender, settings, work)
    if (filtered !== null) return err(filtered)
    const clean = spans.map((span) => ({ ...span, name: scrubAttributes(span.attributes, span.name, settings) }))
    // Its transaction counts as one where it is stored, not with what came with it.
    const nameOf = (span: ReadSpan): string => {
      const sent = sentTransaction(span)
      const context = { at: item.receivedAt, isTransaction: span.isSegment && span !== root }
      return sent === null ? '' : names.nameOf(item.sender.projectId, sent, context)
    }
    // The root of a transaction often comes last, and it knows best what the transaction is called.
    const roots = new Map(clean.flatMap((span) => (span.isSegment ? [[span.spanId, nameOf(span)] as const] : [])))
    if (root !== undefined && !roots.has(root.spanId)) roots.set(root.spanId, nameOf(root))
    for (const span of clean)
      if (span.isSegment) knownRoots.note(item.sender.projectId, span, roots.get(span.spanId) ?? '')
    const times = childrenTimes(clean)
    const counter = createSpanCounter()
    const encoded = clean.map((span, index) => {
      const transaction = roots.get(span.segmentId) ?? knownRoots.nameOf(item.sender.projectId, span) ?? nameOf(span)
      const row = encodeSpan(item, span, { transaction, childrenTime: times[index] ?? 0 })
      counter.add(span, row.op, row.described)
      return row
    })
    return ok({
      spans: encoded.map(({ span }) => span),
      segments: encoded.flatMap(({ segment }) => (segment === null ? [] : [segment])),
      news: counter.news(),
      parts: partsOf(item, found.value),
      quantity: item.item.header.type === 'transaction' ? 1 : spans.length,
    })
  }

/** Transactions and spans, as rows of `spans` and `segments`. */
export const createSpanItems = ({
  names = NAMES_BY_FORM,
  writer,
}: {
  readonly names?: Names
  readonly writer: RowWriter
}): ItemKind<SpansToStore> => ({
  name: SPAN_ITEMS,
  takes: ['transaction', 'span', 'otel_traces_data', 'otel_span'],
  recall: (projectIds) => names.recall(projectIds),
  expand: expandWith(names, createRoots()),
  // What an SDK sends again holds the same spans, in the same order.
  keyOf: ({ sender }, { spans: [first, ...others] }) =>
    `${sender.projectId}:${others.length}:${first === undefined ? '' : contentOf(first)}`,
  quantityOf: ({ quantity }) => quantity,
  partsOf: ({ parts }) => parts,
  apply: async (work, entries) => {
    await names.save(
      work,
      entries.map(({ item }) => item.sender.projectId),
    )
    await noteSpans(
      work,
      entries.flatMap(({ value }) => value.spans.map(({ place }) => place.at)),
    )
    return entries.map(() => ({ isStored: true, stored: undefined }))
  },
  write: async (stored, to) => {
    const values = stored.map(({ entry }) => entry.value)
    const spans = values.map((one) => one.spans)
    const segments = values.map((one) => one.segments)
    const refused = await insertRowsOfItems(writer, SPANS, spans, to)
    return new Map([...refused, ...(await insertRowsOfItems(writer, SEGMENTS, segments, to))])
  },
  announce: (stored) => {
    const byProject = Map.groupBy(stored, ({ entry }) => entry.item.sender.projectId)
    const news = [...byProject].map(
      ([projectId, own]) => [projectId, mergeNews(own.flatMap(({ entry }) => entry.value.news))] as const,
    )
    return [...shareRoom(new Map(news), LIMITS.TRACES_PER_NEWS)].flatMap(([projectId, data]) => {
      const [first] = byProject.get(projectId) ?? []
      return first === undefined ? [] : [{ organizationId: first.entry.item.sender.organizationId, projectId, data }]
    })
  },
})
