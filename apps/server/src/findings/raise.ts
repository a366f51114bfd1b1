import { MINUTE_MS } from '../lib/durations.ts'
import type { Submission } from '../ingest/index.ts'
import type { Logger } from '../lib/logger.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { submissionOf } from './evidence.ts'
import type { Finding } from './find.ts'
import type { Sightings } from './ledger/sightings.ts'
import { LIMITS } from './limits.ts'

const HOUR_MS = 60 * MINUTE_MS

/** Counts what was found in a project, and makes events of what is an issue; tells how many traces show more than that. */
export const createRaise = ({
  logger,
  sightings,
  submit,
}: {
  readonly sightings: Pick<Sightings, 'add'>
  readonly submit: (submission: Submission) => Promise<void>
  readonly logger: Logger
}) => {
  /** What was looked at already, by id of its event, and what was counted, by trace: one trace may show it many times. */
  const known = new RecentMap<string, true>(LIMITS.FINDING_TRACES_WAITING)
  const counted = new RecentMap<string, true>(LIMITS.FINDING_TRACES_WAITING)
  const mayBeSubmitted = createPace()
  const newIssues = createNewIssues(logger)

  /** How many traces of which nothing was counted show it. */
  const timesOf = (findings: readonly Finding[]): number =>
    new Set(findings.map(traceKeyOf).filter((key) => counted.get(key) === undefined)).size

  return async (projectId: number, findings: readonly Finding[], now: number): Promise<number> => {
    const fresh = findings.filter(({ eventId }) => known.get(eventId) === undefined)
    if (fresh.length === 0) return 0
    const all = [...Map.groupBy(fresh, ({ fingerprint }) => fingerprint)]
    const problems = all.slice(0, LIMITS.FINDING_PROBLEMS_PER_LOOK)
    const others = all.slice(LIMITS.FINDING_PROBLEMS_PER_LOOK).flatMap(([, own]) => own)
    const seen = problems.flatMap(([fingerprint, own]) =>
      own.slice(0, 1).map(({ detector, seen: least }) => ({
        fingerprint,
        detector: detector.id,
        seen: least,
        times: timesOf(own),
      })),
    )
    const { issues, opened, heldBack } = await sightings.add(projectId, seen, now, newIssues.left(projectId, now))
    newIssues.count(projectId, now, { opened, heldBack })
    for (const finding of fresh) {
      known.set(finding.eventId, true)
      counted.set(traceKeyOf(finding), true)
      if (issues.has(finding.fingerprint) && mayBeSubmitted(finding, now)) await submit(submissionOf(finding))
    }
    return new Set(others.map(({ segment }) => segment.traceId)).size
  }
}

/** Whoever can send spans can invent problems: of a project, so many become issues in an hour. */
const createNewIssues = (logger: Logger) => {
  const opened = new RecentMap<number, { readonly hour: number; readonly issues: number; readonly isTold: boolean }>(
    LIMITS.FINDING_TRACES_WAITING,
  )
  const of = (projectId: number, now: number) => {
    const hour = Math.floor(now / HOUR_MS)
    const before = opened.get(projectId)
    return before?.hour === hour ? before : { hour, issues: 0, isTold: false }
  }
  return {
    left: (projectId: number, now: number): number =>
      Math.max(0, LIMITS.FINDING_ISSUES_PER_HOUR - of(projectId, now).issues),
    count: (projectId: number, now: number, more: { readonly opened: number; readonly heldBack: number }): void => {
      const { hour, issues, isTold } = of(projectId, now)
      opened.set(projectId, { hour, issues: issues + more.opened, isTold: isTold || more.heldBack > 0 })
      if (more.heldBack === 0 || isTold) return
      logger.warn('more problems were found in traces than become issues in an hour; those that go on do later', {
        project: projectId,
        issues: issues + more.opened,
        heldBack: more.heldBack,
      })
    },
  }
}

const traceKeyOf = ({ fingerprint, segment }: Finding): string =>
  `${segment.projectId} ${segment.traceId} ${fingerprint}`

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
