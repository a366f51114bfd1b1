import type { TracedTanstackRouter } from '@firsthand/browser/tanstack-router'
import type { Reporting, Watched } from './reporting-sdk.ts'

/**
 * The console reports its own errors, page loads and navigations to the project in which Firsthand watches itself, through the server's own tunnel. The
 * SDK is loaded once it is known that there is such a project; what happens before waits.
 */
const MAX_WAITING = 20

let reporting: Promise<Reporting | null> | undefined
let waiting: unknown[] = []

/** Begins to report; later calls only change whether the feedback button shows. */
export function startReporting(watched: Watched, router: TracedTanstackRouter, showsButton: boolean): void {
  reporting ??= import('./reporting-sdk.ts').then(
    ({ begin }) => {
      const begun = begin(watched, router)
      for (const error of waiting) begun.report(error)
      waiting = []
      return begun
    },
    // A console that cannot load this goes on all the same.
    () => null,
  )
  void reporting.then((begun) => begun?.showButton(showsButton))
}

/** Opens the form in which the person says what is wrong with this console. */
export function askForReport(): void {
  void reporting?.then((begun) => begun?.ask())
}

/** Tells an error that was caught and shown. */
export function reportError(problem: unknown): void {
  if (reporting !== undefined) void reporting.then((begun) => begun?.report(problem))
  else if (waiting.length < MAX_WAITING) waiting.push(problem)
}
