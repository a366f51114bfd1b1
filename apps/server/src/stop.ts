import { messageOf } from './lib/error-text.ts'

/**
 * What a process does when it is asked to stop: the first signal begins, more do not hurry, and however the stopping goes,
 * the process has ended after `longestMs`. That is safe at any moment, because every store survives a crash.
 */
export const createStop = (parts: {
  readonly stop: (signal: string) => Promise<void>
  readonly longestMs: number
  /** Ends the process as it is. */
  readonly end: () => void
  readonly say: (line: string) => void
}): ((signal: string) => void) => {
  let asked = false
  const stopAtOnce = (why: string): void => {
    parts.say(`${why}. Ending now; what was accepted is on disk and is digested at the next start.`)
    parts.end()
  }
  return (signal) => {
    if (asked) {
      parts.say(`${signal} again: still stopping, for ${parts.longestMs / 1000} s at most.`)
      return
    }
    asked = true
    // Not a reason to live on.
    setTimeout(() => stopAtOnce(`Not stopped ${parts.longestMs / 1000} s after ${signal}`), parts.longestMs).unref()
    parts.stop(signal).catch((error: unknown) => {
      stopAtOnce(`Stopping failed: ${messageOf(error)}`)
    })
  }
}
