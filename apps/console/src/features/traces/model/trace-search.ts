import { urlText } from '../../../lib/url-search.ts'

/** What is shown of a trace, as its URL says it. */
export interface TraceSearch {
  /** Id of the selected span. */
  readonly span?: string
  /** What is in sight, in milliseconds after the start of the trace. Both or neither. */
  readonly from?: number
  readonly to?: number
  readonly query?: string
  /** The event from whose issue one came: its span is selected at first. */
  readonly event?: string
}

const MAX_QUERY = 200

/** Reads any URL, also one edited by hand: what cannot be read is left out. */
export function readTraceSearch(raw: Readonly<Record<string, unknown>>): TraceSearch {
  const span = urlText(raw.span).toLowerCase()
  const event = urlText(raw.event).replaceAll('-', '').toLowerCase()
  const query = urlText(raw.query).slice(0, MAX_QUERY)
  const [from, to] = [Number(urlText(raw.from) || NaN), Number(urlText(raw.to) || NaN)]
  return {
    ...(/^[0-9a-f]{1,32}$/.test(span) && { span }),
    ...(Number.isFinite(from) && from < to && to < Infinity && { from, to }),
    ...(query !== '' && { query }),
    ...(/^[0-9a-f]{32}$/.test(event) && { event }),
  }
}
