import { stackOf } from './lib/error-text.ts'
import type { Logger } from './lib/logger.ts'

/** Something that is done now and then. */
export interface Job {
  readonly name: string
  /** Milliseconds from the end of one run to the start of the next. */
  readonly everyMs: number
  /** Asked before each run: there is something to do. Without it there always is. */
  readonly isDue?: () => boolean
  readonly run: () => Promise<unknown>
}

/**
 * Runs jobs beside the server's work: each one alone, the first time after its own interval or `firstMs`, whichever is
 * sooner. A job that fails is logged and comes again.
 */
export const startJobs = (
  jobs: readonly Job[],
  { logger, firstMs }: { readonly logger: Logger; readonly firstMs: number },
) => {
  const timers = new Map<Job, NodeJS.Timeout>()
  let stopped = false
  const running = new Set<Promise<void>>()

  const runOnce = async (job: Job): Promise<void> => {
    try {
      if (job.isDue?.() !== false) await job.run()
    } catch (error) {
      if (!stopped) {
        logger.warn('a job failed; it is tried again', {
          job: job.name,
          error: stackOf(error),
        })
      }
    }
  }

  const schedule = (job: Job, delayMs: number): void => {
    const timer = setTimeout(() => {
      const run = runOnce(job).finally(() => {
        running.delete(run)
        if (!stopped) schedule(job, job.everyMs)
      })
      running.add(run)
    }, delayMs)
    timer.unref()
    timers.set(job, timer)
  }

  for (const job of jobs) schedule(job, Math.min(firstMs, job.everyMs))
  return {
    /** No new run begins; resolves when those under way have ended. */
    stop: async (): Promise<void> => {
      stopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}
