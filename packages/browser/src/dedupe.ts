import type { Event, Integration } from './types.ts'

/** The same error again within this time of the last one is the same loop, timer or frame. Milliseconds. */
const WINDOW_MS = 5000

const fingerprintOf = ({ message, fingerprint, exception }: Event): string =>
  JSON.stringify([
    message,
    fingerprint,
    exception?.values?.map(({ type, value, stacktrace }) => [type, value, stacktrace?.frames]),
  ])

/** Drops an error that is the same as the one before. */
export const dedupeIntegration = (): Integration => {
  let last = ''
  let seenAt = 0
  return {
    name: 'Dedupe',
    processEvent: (event) => {
      if (event.type) return event
      const key = fingerprintOf(event)
      const isAgain = key === last && Date.now() - seenAt < WINDOW_MS
      last = key
      seenAt = Date.now()
      return isAgain ? null : event
    },
  }
}
