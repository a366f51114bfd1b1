import type { ClickHouseClient } from '@clickhouse/client'
import type { ProjectLookup } from '../../accounts/index.ts'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/index.ts'
import { hasNewFrames, type FrameResolver } from '../../artifacts/resolve/index.ts'
import { LIMITS as READING_LIMITS } from '../../event/limits.ts'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { stackOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import { isPassing } from '../../lib/store-fault.ts'
import { Work } from '../../lib/work.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import type { EventPlace, EventView } from '../events.view.ts'
import { group } from '../grouping/index.ts'
import { mappedLate } from '../late-frames.ts'
import { advanceUpload, type LateUpload, readyUploads } from '../ledger/late-maps.ts'
import { LIMITS } from '../limits.ts'
import type { IssuesChanged } from '../services.ts'
import { oneOfEachHash } from '../telemetry/one-of-each-hash.ts'
import { regroup } from './regroup.ts'

interface LookBackParts {
  readonly ledger: Ledger
  readonly client: ClickHouseClient
  readonly clock: Clock
  readonly logger: Logger
  /** As they are stored. */
  readonly events: Pick<EventView, 'load'>
  readonly frames: FrameResolver
  readonly settings: Pick<ProjectLookup, 'byProjectId'>
  readonly changed: (change: IssuesChanged) => void
  /** How long it goes on; at least one issue is looked at. */
  readonly workMs: number
}

/**
 * Looks at the events that came before uploads whose maps are ready, a step of each in turn, for a part of a second. How far
 * it came is kept, so that it goes on there after a restart; a step that is done twice changes nothing the second time.
 */
export const createLookBack = (parts: LookBackParts) => async (): Promise<void> => {
  const until = performance.now() + parts.workMs
  const ready = () => readyUploads(parts.ledger, LIMITS.LATE_MAPS_UPLOADS, parts.clock.now())
  let uploads = await ready()
  while (uploads.length > 0) {
    for (const upload of uploads) {
      await step(parts, upload, until)
      if (performance.now() >= until) return
    }
    uploads = await ready()
  }
}

const step = async (parts: LookBackParts, upload: LateUpload, until: number): Promise<void> => {
  const { changed, client, clock, ledger } = parts
  const { afterIssueId, id, organizationId, projectId, release } = upload
  const since = clock.now() - LIMITS.LATE_MAPS_DAYS * DAY_MS
  const limit = LIMITS.LATE_MAPS_STEP_EVENTS
  const perIssue = LIMITS.LATE_MAPS_HASHES_PER_ISSUE
  const found = await oneOfEachHash(client, {
    organizationId,
    projectId,
    release,
    since,
    afterIssueId,
    limit,
    perIssue,
  })
  const issueIds: number[] = []
  const tell = (): void => {
    if (issueIds.length === 0) return
    changed({ organizationId, projectId, issueIds: [...new Set(issueIds)], opened: [], at: clock.now() })
  }
  for (const [index, place] of found.entries()) {
    issueIds.push(...(await lookAt(parts, place)))
    const next = found[index + 1]
    // Where the time is over, the rest of the step is another one: from the next issue on.
    if (next === undefined || next.storedIssueId === place.storedIssueId || performance.now() < until) continue
    await advanceUpload(ledger, id, place.storedIssueId)
    return tell()
  }
  // A full step may end within an issue: that one is looked at again from its beginning, unless it is all of the step.
  const last = found.at(-1)?.storedIssueId ?? afterIssueId
  const isFull = found.length === limit
  const whole = isFull ? (found.findLast((place) => place.storedIssueId !== last)?.storedIssueId ?? last) : last
  await advanceUpload(ledger, id, isFull ? whole : null)
  tell()
}

/** @returns the issues that changed */
const lookAt = async (parts: LookBackParts, place: EventPlace): Promise<readonly number[]> => {
  const { clock, events, frames, ledger, logger, settings } = parts
  const { organizationId, projectId, storedIssueId } = place
  try {
    const stored = await events.load(place)
    const mapped = stored === null ? null : await mappedLate(frames, projectId, stored.event)
    if (stored === null || mapped === null || !hasNewFrames(stored.event, mapped)) return []
    const rules = (await settings.byProjectId(projectId))?.settings ?? DEFAULT_PROJECT_SETTINGS
    const grouped = group(mapped, rules, new Work(READING_LIMITS.RULE_STEPS_PER_EVENT))
    const was = { title: stored.title, culprit: stored.culprit }
    return await regroup(ledger, { organizationId, projectId, storedIssueId, grouped, was, now: clock.now() })
  } catch (error) {
    // What is away is asked again; what cannot be read keeps no other event waiting.
    if (isPassing(error)) throw error
    logger.error('issues: an event could not be looked at by maps that came later', {
      event: place.eventId,
      error: stackOf(error),
    })
    return []
  }
}
