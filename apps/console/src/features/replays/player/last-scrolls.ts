import { EventType, type RecordedEvent, Source } from '@firsthand/recording'

/** As they are rewritten. */
interface Page {
  readonly node: { readonly id: number }
  readonly initialOffset: { readonly left: number; readonly top: number }
}

interface Change {
  readonly source: number
  readonly id: number
  readonly x: number
  readonly y: number
  readonly removes?: readonly { readonly id: number }[]
}

/**
 * The same events, with what is drawn at once scrolled only at its end, to where each element was last. A browser lays the
 * whole page out for each step: a seek took most of its time for that.
 *
 * @param events rewritten, by time
 * @param until all up to it are drawn at once
 */
export function withLastScrolls(events: readonly RecordedEvent[], until: number): RecordedEvent[] {
  const last = new Map<number, RecordedEvent>()
  const scroll = (id: number, x: number, y: number): void => {
    last.delete(id)
    last.set(id, {
      type: EventType.IncrementalSnapshot,
      timestamp: until,
      data: { source: Source.Scroll, id, x, y },
    })
  }
  const later = events.findIndex(({ timestamp }) => timestamp > until)
  const end = later === -1 ? events.length : later
  const drawn = events.slice(0, end).flatMap((event) => {
    if (event.type === EventType.FullSnapshot) {
      const { initialOffset, node } = event.data as Page
      last.clear()
      scroll(node.id, initialOffset.left, initialOffset.top)
      // Nothing is laid out for the very beginning of a page.
      return { ...event, data: { node, initialOffset: { left: 0, top: 0 } } }
    }
    if (event.type !== EventType.IncrementalSnapshot) return event
    const { id, removes, source, x, y } = event.data as Change
    // What is taken out and put back is not scrolled any more.
    for (const gone of removes ?? []) last.delete(gone.id)
    if (source !== Source.Scroll) return event
    scroll(id, x, y)
    return []
  })
  return [...drawn, ...last.values(), ...events.slice(end)]
}
