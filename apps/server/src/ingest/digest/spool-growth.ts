import type { SpoolPosition } from '../road.ts'
import type { SpoolReader } from '../spool/spool-reader.ts'

/** Resolves when the spool's end is no longer `seen`; earlier when woken, stopped, or after `WAKE_MS`. */
export interface SpoolGrowth {
  (seen: SpoolPosition): Promise<void>
  wake(): void
}

/** Bounds the wait for new records only against a lost wake-up, which is not known to happen. */
const WAKE_MS = 1000

export const createSpoolGrowth = (reader: SpoolReader, signal: AbortSignal): SpoolGrowth => {
  let wake = (): void => undefined
  signal.addEventListener('abort', () => wake())
  const wait = (seen: SpoolPosition): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        resolve()
        return
      }
      wake = resolve
      reader.changed(seen, WAKE_MS).then(resolve, reject)
    })
  return Object.assign(wait, { wake: () => wake() })
}
