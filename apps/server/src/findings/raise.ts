import type { Submission } from '../ingest/index.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { submissionOf } from './evidence.ts'
import type { Finding } from './find.ts'
import type { Sightings } from './ledger/sightings.ts'
import { LIMITS } from './limits.ts'

const MINUTE_MS = 60_000

/** Counts what was found in a project, and makes events of what is an issue. */
export const createRaise = ({
  sightings,
  submit,
}: {
  readonly sightings: Pick<Sightings, 'add'>
  readonly submit: (submission: Submission) => Promise<void>
}) => {
  /** What was counted already, by id of its event. */
  const counted = new RecentMap<string, true>(LIMITS.FINDING_TRACES_WAITING)
  const mayBeSubmitted = createPace()

  return async (projectId: number, findings: readonly Finding[], now: number): Promise<void> => {
    const fresh = findings.filter(({ eventId }) => counted.get(eventId) === undefined)
    if (fresh.length === 0) return
    const problems = [...Map.groupBy(fresh, ({ fingerprint }) => fingerprint)].slice(
      0,
      LIMITS.FINDING_PROBLEMS_PER_LOOK,
    )
    const seen = problems.flatMap(([fingerprint, own]) =>
      own.slice(0, 1).map(({ detector, seen: least }) => ({
        fingerprint,
        detector: detector.id,
        seen: least,
        times: own.length,
      })),
    )
    const issues = await sightings.add(projectId, seen, now)
    for (const finding of fresh) {
      counted.set(finding.eventId, true)
      if (issues.has(finding.fingerprint) && mayBeSubmitted(finding, now)) await submit(submissionOf(finding))
    }
  }
}

/** Several of one problem in one minute are enough to look at. */
const createPace = () => {
  const submitted = new RecentMap<string, { readonly minute: number; readonly events: number }>(
    LIMITS.FINDING_SIGHTINGS,
  )
  return (finding: Finding, now: number): boolean => {
    const key = `${finding.segment.projectId} ${finding.fingerprint}`
    const minute = Math.floor(now / MINUTE_MS)
    const before = submitted.get(key)
    const events = before?.minute === minute ? before.events + 1 : 1
    submitted.set(key, { minute, events })
    return events <= LIMITS.FINDING_EVENTS_PER_MINUTE
  }
}
