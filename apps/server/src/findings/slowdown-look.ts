import type { Submission } from '../ingest/index.ts'
import type { Clock } from '../lib/clock.ts'
import { DAY_MS } from '../lib/durations.ts'
import type { Logger } from '../lib/logger.ts'
import type { SpanNews } from '../traces/index.ts'
import type { Sender } from './left-out.ts'
import type { FindingSettingsStore } from './ledger/finding-settings.ts'
import type { Sightings } from './ledger/sightings.ts'
import { LIMITS } from './limits.ts'
import { isMuted, type FindingSettings } from './settings.ts'
import { findSlowdown, isNews, SLOWDOWN } from './slowdown.ts'
import { fingerprintOf, slowdownSubmission, type SlowerTransaction } from './slowdown-event.ts'
import { isRefusal } from './telemetry/read-apart.ts'
import type { TransactionHoursReader } from './telemetry/transaction-hours.ts'
import { createWaitingProjects, wholeHoursUntil } from './waiting-projects.ts'

/**
 * Looks for transactions that became slower: once an hour at each project that sent some, so a server to which nothing
 * comes does nothing. What could not be looked at is within the hours of the next look. That something was told is in the
 * ledger, and one change gives one event: neither a restart nor what comes late tells it twice.
 */
export const createSlowdownLook = (parts: {
  readonly hours: TransactionHoursReader
  readonly settings: Pick<FindingSettingsStore, 'of'>
  readonly sightings: Pick<Sightings, 'add' | 'seenAt'>
  readonly submit: (submission: Submission) => Promise<void>
  readonly clock: Clock
  readonly logger: Logger
}) => {
  const { clock, logger, settings, sightings, submit } = parts
  const waiting = createWaitingProjects()

  const slowerOf = async (project: Sender, until: number, own: FindingSettings): Promise<SlowerTransaction[]> => {
    const rule = own.detectors.get(SLOWDOWN.id)
    if (rule === undefined || !rule.enabled) return []
    const { thresholds } = rule
    const all = await parts.hours.load(project, until, Math.ceil(thresholds['samples'] ?? 0))
    return all.flatMap(({ transaction, op, hours }) => {
      if (isMuted(own, SLOWDOWN.id, transaction)) return []
      const found = findSlowdown(hours, until, thresholds)
      return found === null ? [] : [{ ...found, transaction, op, fingerprint: fingerprintOf({ op, transaction }) }]
    })
  }

  const tell = async (project: Sender, found: readonly SlowerTransaction[], now: number): Promise<void> => {
    const toldAt = await sightings.seenAt(project.projectId, SLOWDOWN.id)
    const news = found
      .filter((one) => isNews(one, toldAt.get(one.fingerprint) ?? null))
      .toSorted((one, other) => lostMs(other) - lostMs(one))
    const today = [...toldAt.values()].filter((at) => at > now - DAY_MS).length
    const told = news.slice(0, Math.max(0, LIMITS.SLOWDOWNS_PER_DAY - today))
    for (const one of told) {
      await submit(slowdownSubmission(project, one))
      const sighting = { fingerprint: one.fingerprint, detector: SLOWDOWN.id, seen: SLOWDOWN.seen, times: 1 }
      await sightings.add(project.projectId, [sighting], now, 1)
    }
    if (told.length < news.length) {
      logger.warn('more transactions became slower than become issues in a day', {
        project: project.projectId,
        left: news.length - told.length,
      })
    }
  }

  const lookAt = async (project: Sender, now: number): Promise<void> => {
    const own = await settings.of(project.projectId)
    try {
      const found = await slowerOf(project, wholeHoursUntil(now), own)
      if (found.length > 0) await tell(project, found, now)
    } catch (error) {
      if (!isRefusal(error)) throw error
      logger.warn('the transactions of a project are too many to be looked at for slower ones', {
        project: project.projectId,
        error: String(error),
      })
    }
  }

  return {
    hear: (sender: Sender, { traces, tracesLeftOut }: SpanNews): void => {
      if (tracesLeftOut > 0 || traces.some(({ hasRoot }) => hasRoot)) waiting.hear(sender, clock.now())
    },

    isDue: (): boolean => waiting.isDue(clock.now()),

    /** Looks at projects that are due, one after the other, and leaves the rest to the next look when it took long. */
    run: async (): Promise<void> => {
      const begin = clock.now()
      for (let now = begin; now - begin < LIMITS.SLOWDOWN_LOOK_MS; now = clock.now()) {
        const project = waiting.take(now)
        if (project === null) return
        await lookAt(project, now)
      }
    },
  }
}

/** What all its samples take more than before. */
const lostMs = ({ after, before, samplesAfter }: SlowerTransaction): number => (after - before) * samplesAfter
