import { isObject } from '@firsthand/protocol'
import { EVENT_LIMITS } from '../limits.ts'
import type { Breadcrumb } from '../event.ts'
import { sayShortened } from '../remarks.ts'
import { readBag } from './bag.ts'
import { firstOf, readText, readValues } from './fields.ts'
import { readLevel } from './level.ts'
import { isAbsent, type Raw, type Reading } from './reading.ts'
import { readTimestamp } from './timestamps.ts'

/** Reads the breadcrumbs, oldest first (protocol.md 3.1.5). The newest are kept when there are too many. */
export const readBreadcrumbs = (
  reading: Reading,
  raw: Raw,
  receivedSeconds: number,
): { values: Breadcrumb[] } | undefined => {
  const key = firstOf(raw, 'breadcrumbs', 'sentry.interfaces.Breadcrumbs')
  const values = readValues(reading, raw, key)
  if (values === undefined) return undefined
  const breadcrumbs: Breadcrumb[] = []
  reading.enter(key)
  for (let index = Math.max(0, values.length - EVENT_LIMITS.BREADCRUMBS); index < values.length; index++) {
    const value = values[index]
    if (isAbsent(value)) continue
    if (!isObject(value)) {
      reading.invalid(index, value, 'expected a breadcrumb')
      continue
    }
    reading.enter(index)
    const breadcrumb = readBreadcrumb(reading, value, receivedSeconds)
    if (breadcrumb !== undefined) breadcrumbs.push(breadcrumb)
    reading.leave()
  }
  reading.leave()
  if (breadcrumbs.length === 0) return undefined
  const kept = inOrder(breadcrumbs)
  if (values.length > EVENT_LIMITS.BREADCRUMBS) sayShortened(kept, values.length)
  return { values: kept }
}

const readBreadcrumb = (reading: Reading, raw: Raw, receivedSeconds: number): Breadcrumb | undefined => {
  const breadcrumb: Breadcrumb = {
    type: readText(reading, raw, 'type', EVENT_LIMITS.WORD_CHARS) ?? 'default',
    level: readLevel(reading, raw, 'info'),
  }
  const timestamp = readTimestamp(reading, raw, 'timestamp', receivedSeconds)
  if (timestamp !== undefined) breadcrumb.timestamp = timestamp
  const category = readText(reading, raw, 'category', EVENT_LIMITS.NAME_CHARS)
  if (category !== undefined) breadcrumb.category = category
  const message = readText(reading, raw, 'message', EVENT_LIMITS.MESSAGE_CHARS)
  if (message !== undefined) breadcrumb.message = message
  const data = readBag(reading, raw, 'data', EVENT_LIMITS.MEDIUM_BAG_DEPTH, EVENT_LIMITS.MEDIUM_BAG_CHARS)
  if (data !== undefined) breadcrumb.data = data
  const eventId = readText(reading, raw, 'event_id', EVENT_LIMITS.WORD_CHARS)
  if (eventId !== undefined) breadcrumb.event_id = eventId
  const origin = readText(reading, raw, 'origin', EVENT_LIMITS.WORD_CHARS)
  if (origin !== undefined) breadcrumb.origin = origin
  const saysSomething = timestamp !== undefined || category !== undefined || message !== undefined || data !== undefined
  return saysSomething ? breadcrumb : undefined
}

/** By time, those of the same time as sent; one without a time stays behind the one before it. */
const inOrder = (breadcrumbs: Breadcrumb[]): Breadcrumb[] => {
  let latest = -Infinity
  let sorted = true
  const times = breadcrumbs.map((breadcrumb, index) => {
    const time = breadcrumb.timestamp ?? (index === 0 ? -Infinity : latest)
    if (time < latest) sorted = false
    latest = time
    return { breadcrumb, time }
  })
  if (sorted) return breadcrumbs
  return times.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)).map(({ breadcrumb }) => breadcrumb)
}
