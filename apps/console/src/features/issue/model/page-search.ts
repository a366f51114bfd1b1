import { type StreamUrl, readStreamUrl } from '../../issues/model/index.ts'

/** The issue page's URL: the stream it was opened from (for "3 of 38" and the filters), and what is shown of it. */
export interface IssueUrl extends StreamUrl {
  /** An event's id, `latest`, `oldest` or `recommended`; absent is `latest`. */
  readonly event?: string
  readonly tab?: 'events' | 'people'
  /** Search in the events tab. */
  readonly events?: string
}

export function readIssueUrl(raw: Readonly<Record<string, unknown>>): IssueUrl {
  const event = typeof raw.event === 'string' ? raw.event.replaceAll('-', '').toLowerCase() : ''
  return {
    ...readStreamUrl(raw),
    ...(/^([0-9a-f]{32}|oldest|recommended)$/.test(event) ? { event } : {}),
    ...(raw.tab === 'events' || raw.tab === 'people' ? { tab: raw.tab } : {}),
    ...(typeof raw.events === 'string' && raw.events !== '' ? { events: raw.events.slice(0, 2000) } : {}),
  }
}

/** A place in the stream's order, as far as it is loaded. */
export interface StreamPlace {
  /** 1 for the first; null when the issue is not (or no longer) in the stream. */
  readonly position: number | null
  readonly total: number
  readonly previous: string | null
  readonly next: string | null
}

/**
 * @param left where the issue was before it left the list (resolved, say): neighbours are then those around the gap
 */
export function placeInStream(
  order: readonly string[],
  total: number,
  issue: string,
  left: number | null,
): StreamPlace {
  const index = order.indexOf(issue)
  if (index !== -1) {
    return { position: index + 1, total, previous: order[index - 1] ?? null, next: order[index + 1] ?? null }
  }
  if (left === null) return { position: null, total, previous: null, next: order[0] ?? null }
  return { position: null, total, previous: order[left - 1] ?? null, next: order[left] ?? null }
}
