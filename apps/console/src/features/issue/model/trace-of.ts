import type { EventView } from './event-view.ts'

/** Where an event lies: its trace and its span. Shaped as the parts of a link to it. */
export interface TracePlace {
  readonly trace: string
  /** The span is selected, and its event is known where the span is not. */
  readonly search: { readonly event: string; readonly span?: string }
}

/** Null when the SDK named no trace that can be one. */
export function traceOf(event: EventView): TracePlace | null {
  const fields = new Map(event.contexts.find((context) => context.name === 'trace')?.fields)
  const trace = hex(fields.get('trace_id'))
  if (!/^[0-9a-f]{32}$/.test(trace)) return null
  const span = hex(fields.get('span_id'))
  return { trace, search: { event: event.id, ...(/^[0-9a-f]{16}$/.test(span) && { span }) } }
}

function hex(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('-', '').toLowerCase() : ''
}
