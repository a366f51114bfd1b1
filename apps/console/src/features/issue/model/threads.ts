import { plainVisible } from '../../../lib/visible-text.ts'
import type { EventView, ThreadView } from './event-view.ts'

/**
 * The threads that there is something to show of: the one that crashed first, then the one that was running. The stack of
 * a crashed one is mostly sent with the error, and stands there.
 */
export function shownThreads({ exceptions, threads }: EventView): readonly ThreadView[] {
  const hasError = exceptions.some(({ stack }) => stack !== null)
  const rank = ({ crashed, current }: ThreadView): number => (crashed ? 0 : current ? 1 : 2)
  const shown = threads.filter(({ crashed, stack }) => stack !== null || (crashed && hasError))
  // Alone, one whose stack stands above says nothing more.
  if (!shown.some(({ stack }) => stack !== null)) return []
  return shown.toSorted((a, b) => rank(a) - rank(b))
}

/** `main, crashed, current, RUNNABLE`. */
export const threadLabel = ({ crashed, current, id, name, state }: ThreadView): string =>
  plainVisible(
    [name || `thread ${id}`, crashed ? 'crashed' : '', current ? 'current' : '', state]
      .filter((word) => word !== '')
      .join(', '),
  )
