import type { ReplayLinks } from '../ledger/replay-links.ts'

/** Views that come while others are written are written together, after them. */
export const createViewCounts = ({ links }: { readonly links: Pick<ReplayLinks, 'countViews'> }) => {
  interface Waiting {
    times: number
    done: Promise<void>
  }
  const writing = new Map<number, Promise<void>>()
  const waiting = new Map<number, Waiting>()

  const write = async (id: number, next: Waiting): Promise<void> => {
    // Told to those whose views it was; this one only waits for its end.
    await writing.get(id)?.catch(() => undefined)
    waiting.delete(id)
    const written = links.countViews(id, next.times)
    writing.set(id, written)
    await written.finally(() => writing.delete(id))
  }

  return (id: number): Promise<void> => {
    const joined = waiting.get(id)
    if (joined !== undefined) {
      joined.times += 1
      return joined.done
    }
    const next: Waiting = { times: 1, done: Promise.resolve() }
    waiting.set(id, next)
    next.done = write(id, next)
    return next.done
  }
}
