import type { ClientLike } from '../client.ts'

/** Hooks of the SDK. A listener that throws must not cost the visitor a report. */
export const announce = (client: ClientLike, hook: string, ...rest: unknown[]): void => {
  try {
    ;(client.emit as ((hook: string, ...rest: unknown[]) => void) | undefined)?.call(client, hook, ...rest)
  } catch {
    // Its own trouble, not the visitor's.
  }
}
