import type { ClientLike } from '../client.ts'

/** Hooks of the SDK. A listener that throws must not cost the visitor a report. */
export const announce = (client: ClientLike, hook: string, ...rest: unknown[]): void => {
  try {
    ;(client.emit as ((hook: string, ...rest: unknown[]) => void) | undefined)?.call(client, hook, ...rest)
  } catch {
    // Its own trouble, not the visitor's.
  }
}

/** Runs what is the page's. When it fails, the page is told as of any error of its own, and we go on. */
export const guarded = <Value>(work: () => Value): Value | undefined => {
  try {
    return work()
  } catch (error) {
    reportError(error)
    return undefined
  }
}
