import { createHandles } from '../accounts/index.ts'
import { LIMITS as ARTIFACT_LIMITS } from '../artifacts/limits.ts'
import { frameResolverOf } from '../artifacts/resolve/index.ts'
import type { CapabilityJob, Served, ServerParts } from '../capability.ts'
import type { Announcement } from '../ingest/index.ts'
import { createOccasion } from '../lib/occasion.ts'
import { LIMITS } from './limits.ts'
import { LIMITS as STORAGE_LIMITS } from '../storage/limits.ts'
import { quietMsOf } from '../storage/ledger/quiet.ts'
import { compareStores, sampleLedger } from './compare-stores.ts'
import { answersAboutErrors } from './errors-dataset.ts'
import { EVENT_ITEMS } from './digest/event-items.ts'
import type { EventNews } from './digest/event-items.ts'
import { createCountCache, createGlances, createIssueServices } from './index.ts'
import { createIssueJobs } from './ledger/issue-jobs.ts'
import { createLedgerIssueMarks } from './ledger/issue-marks.ts'
import { createPriorityJob } from './ledger/priority-job.ts'
import { createLedgerIssueSets } from './ledger/issue-sets.ts'
import { createLedgerIssueView } from './ledger/issue-view.ts'
import { createLedgerIssueWorkflow } from './ledger/issue-workflow.ts'
import { createLedgerSavedSearches } from './ledger/saved-searches.ts'
import { createEnvironmentView } from './ledger/environment-view.ts'
import { withLateFrames } from './late-frames.ts'
import { createLateMapJobs } from './late-maps/index.ts'
import { createLegacyUrls } from './legacy-urls.ts'
import { unassignMember, unassignStrangers } from './ledger/unassign-member.ts'
import { organizationOfIssue } from './ledger/organization-of-issue.ts'
import { createPersonalErrors } from './erase-errors.ts'
import { createEnvironmentRoutes } from './environments.routes.ts'
import { createIssueRetention } from './retention.ts'
import type { IssuesChanged, IssueServices } from './services.ts'
import { createTelemetryAttachmentView } from '../kept-items/index.ts'
import { createTelemetryEventView } from './telemetry/events.view.ts'
import { createRoutesOfIssues } from './slice.routes.ts'

export const serveIssues = async (parts: ServerParts): Promise<Served> => {
  const { accounts, blobs, client, clock, config, findings, ledger, live, logger } = parts
  const counts = createCountCache({
    clock,
    maxAgeMs: config.clickhouseUrl === null ? LIMITS.COUNTS_REMEMBERED_MS : LIMITS.COUNTS_REMEMBERED_SHARED_MS,
  })
  const glances = createGlances({
    clock,
    ...(config.clickhouseUrl !== null && { maxAgeMs: LIMITS.COUNTS_REMEMBERED_SHARED_MS }),
  })
  const sample = await sampleLedger(ledger, clock)
  const publish = ({ organizationId, projectId, issueIds, opened, at }: IssuesChanged): void => {
    live.publish({
      topic: 'issues',
      organizationId,
      projectId,
      at,
      data: { issueIds: issueIds.map(String), opened: opened.map(String) },
    })
  }
  const tell = (change: IssuesChanged): void => {
    glances.changed(change.organizationId)
    publish(change)
  }
  const tellOfPeople = (change: IssuesChanged): void => {
    glances.handled(change.organizationId)
    publish(change)
  }
  const changed = (change: IssuesChanged): void => {
    counts.forget(change.issueIds)
    tell(change)
  }
  const stored = createTelemetryEventView({ client })
  const frames = frameResolverOf({ ledger, blobs }, { mostBytes: ARTIFACT_LIMITS.PREPARED_HELD_FOR_READERS_BYTES })
  const events = { ...stored, ...withLateFrames({ events: stored, frames, logger }) }
  const sets = createLedgerIssueSets({ ledger })
  const savedSearches = createLedgerSavedSearches({ ledger })
  const services = createIssueServices({
    savedSearches,
    issues: createLedgerIssueView({ ledger }),
    events: { ...events, countIssues: counts.remembering(events), matchingIssues: counts.matching(events) },
    attachments: createTelemetryAttachmentView({ client, blobs }),
    workflow: createLedgerIssueWorkflow({ ledger }),
    marks: createLedgerIssueMarks({ ledger }),
    sets,
    settings: accounts.lookup,
    handles: createHandles({ ledger }),
    clock,
    glances,
    ask: parts.ask,
    changed: tellOfPeople,
  })
  const jobs = createIssueJobs({ ledger, client, clock, changed: tell })
  return {
    routes: [
      ...createRoutesOfIssues(services),
      ...createEnvironmentRoutes(accounts, createEnvironmentView({ ledger })),
    ],
    jobs: [
      {
        name: 'new issues',
        everyMs: STORAGE_LIMITS.HOUSEKEEPING_INTERVAL_MS,
        byTheClock: true,
        run: () => jobs.ageIssues(),
      },
      archivesJobOf(parts, jobs),
      ...createLateMapJobs(parts, { events: stored, frames, changed }),
      priorityJobOf(parts, services),
      {
        name: 'frozen issues',
        everyMs: LIMITS.ISSUE_SET_MS,
        byTheClock: true,
        run: () => sets.forgetOld(clock.now()),
      },
      {
        name: 'issues of who left',
        everyMs: STORAGE_LIMITS.HOUSEKEEPING_INTERVAL_MS,
        run: () => unassignStrangers(ledger),
      },
    ],
    knows: answersAboutErrors(services.issues),
    retention: createIssueRetention({ ledger, client }),
    personal: [createPersonalErrors({ ...parts, changed })],
    hear: {
      [EVENT_ITEMS]: ({ organizationId, projectId, at, data }: Announcement) => {
        const { issueIds, opened } = data as EventNews
        counts.forget(issueIds)
        if (issueIds.length > 0) tell({ organizationId, projectId, issueIds, opened, at })
      },
    },
    memberRemoved: async (organizationId, userId) => {
      await unassignMember(ledger, organizationId, userId)
      await savedSearches.forget(organizationId, userId)
    },
    resolve: createLegacyUrls((issueId) => organizationOfIssue(ledger, issueId)),
    examine: (signal) => compareStores({ ledger, client, sample, findings, signal }),
  }
}

/** Looks at archived issues after something happened to any, and when the time of one comes. */
const archivesJobOf = (
  { clock, ledger, live }: ServerParts,
  jobs: Pick<ReturnType<typeof createIssueJobs>, 'reviewArchived'>,
): CapabilityJob => {
  const archives = createOccasion({ clock, quietMs: quietMsOf(ledger) })
  live.hear(({ topic }) => {
    if (topic === 'issues') archives.wake()
  })
  return {
    name: 'archived issues',
    everyMs: LIMITS.ARCHIVE_REVIEW_INTERVAL_MS,
    byTheClock: true,
    isDue: archives.isDue,
    run: () => archives.take(async () => (await jobs.reviewArchived()).dueAt),
  }
}

/** Counts what issues are urgent by, as long as something happens to any. */
const priorityJobOf = (
  { ask, client, clock, ledger, live }: ServerParts,
  { changed, issues }: Pick<IssueServices, 'changed' | 'issues'>,
): CapabilityJob => {
  const step = createPriorityJob({ ask, client, clock, ledger, issues, changed })
  const occasion = createOccasion({ clock, quietMs: quietMsOf(ledger) })
  live.hear(({ topic }) => {
    if (topic === 'issues') occasion.wake()
  })
  return {
    name: 'priorities',
    everyMs: LIMITS.PRIORITY_INTERVAL_MS,
    isDue: occasion.isDue,
    run: () =>
      occasion.take(async () => {
        await step()
        return Infinity
      }),
  }
}
