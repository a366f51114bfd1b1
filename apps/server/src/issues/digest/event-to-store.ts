import type { Json } from '../../event/event.ts'
import type { EventToStore } from '../events.store.ts'
import { outlineOf } from '../features.ts'
import type { EventSummary, GroupedEvent } from '../grouped.ts'
import type { DigestItem } from '../../ingest/road.ts'

const TRACE_ID = /^[0-9a-f]{32}$/
const SPAN_ID = /^[0-9a-f]{16}$/

const idOf = (value: Json | undefined, pattern: RegExp): string | null => {
  if (typeof value !== 'string') return null
  const id = value.toLowerCase().replaceAll('-', '')
  return pattern.test(id) ? id : null
}

/** Trace and replay of an event: its own contexts first, then the dynamic sampling context of the envelope (protocol.md 4.1). */
export const eventToStore = (item: DigestItem, grouped: GroupedEvent): EventToStore => {
  const trace = grouped.event.contexts['trace']
  const replay = grouped.event.contexts['replay']
  const sampling = item.header.trace
  const replayTag = grouped.event.tags.find(([key]) => key === 'replayId')?.[1]
  return {
    receivedAt: item.receivedAt,
    grouped,
    traceId: idOf(trace?.['trace_id'], TRACE_ID) ?? idOf(sampling?.['trace_id'], TRACE_ID),
    spanId: idOf(trace?.['span_id'], SPAN_ID),
    replayId:
      idOf(replay?.['replay_id'], TRACE_ID) ?? idOf(replayTag, TRACE_ID) ?? idOf(sampling?.['replay_id'], TRACE_ID),
  }
}

export const summaryOf = ({ event, grouping, title, unhandled, issueKind }: GroupedEvent): EventSummary => {
  const { event_id, type, timestamp, level, platform, logger, environment, release, transaction, tags } = event
  const { id, email } = event.user ?? {}
  const url = event.request?.url
  return {
    event: {
      event_id,
      type,
      timestamp,
      level,
      platform,
      logger,
      ...(environment === undefined ? {} : { environment }),
      ...(release === undefined ? {} : { release }),
      ...(transaction === undefined ? {} : { transaction }),
      ...(id === undefined && email === undefined
        ? {}
        : { user: { ...(id === undefined ? {} : { id }), ...(email === undefined ? {} : { email }) } }),
      ...(url === undefined ? {} : { request: { url } }),
      tags,
    },
    outline: outlineOf(event),
    grouping,
    title,
    unhandled,
    ...(issueKind === undefined ? {} : { issueKind }),
  }
}
