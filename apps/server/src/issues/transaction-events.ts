import type { ApiTransactionEvent } from '@firsthand/contract'
import type { ProjectReference } from '../accounts/index.ts'
import type { Question } from '../lib/questions.ts'
import { userReportJson } from './event-json.ts'
import { releaseJson } from './issue-json.ts'
import type { IssueServices } from './services.ts'
import { REPORT_OF_EVENT } from './visitor-reports.ts'

/**
 * Whoever has the id of an event need not know whether it is an error or a transaction, which is in no issue and kept as
 * spans. The capability that keeps those answers.
 */
export const TRANSACTION_OF_EVENT: Question<AskedEvent, FoundTransaction | null> = {
  name: 'the transaction of an event',
  otherwise: null,
}

export interface AskedEvent {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  /** As it was asked for. */
  readonly eventId: string
}

export interface FoundTransaction {
  readonly projectId: number
  /** '' for none. */
  readonly release: string
  readonly event: Omit<ApiTransactionEvent, 'projectID' | 'projectSlug' | 'release' | 'userReport'>
}

/** The same in the words of the protocol. It is made of its spans: what an SDK sent beside them was not kept. */
export const transactionPayload = (event: ApiTransactionEvent): Record<string, unknown> => {
  const { contexts, dist, eventID, measurements, platform, release, sdk, tags, title, user } = event
  const entryOf = (wanted: string): unknown => event.entries.find(({ type }) => type === wanted)?.data
  return {
    event_id: eventID,
    type: 'transaction',
    transaction: title,
    start_timestamp: event.startTimestamp,
    timestamp: event.endTimestamp,
    received: Date.parse(event.dateReceived) / 1000,
    platform,
    release: release?.version ?? null,
    dist,
    environment: tags.find(({ key }) => key === 'environment')?.value ?? null,
    user,
    request: entryOf('request') ?? null,
    tags: tags.map(({ key, value }) => [key, value]),
    contexts,
    extra: event.context,
    measurements,
    spans: entryOf('spans') ?? [],
    sdk,
    errors: event.errors,
  }
}

/** Null when there is none. @param projects in which it is looked for */
export const findTransaction = async (
  { ask, issues }: Pick<IssueServices, 'ask' | 'issues'>,
  organizationId: number,
  projects: readonly ProjectReference[],
  eventId: string,
): Promise<ApiTransactionEvent | null> => {
  const found = await ask(TRANSACTION_OF_EVENT, { organizationId, eventId, projectIds: projects.map(({ id }) => id) })
  const project = projects.find(({ id }) => id === found?.projectId)
  if (found === null || project === undefined) return null
  const { event, release } = found
  const [releases, report] = await Promise.all([
    issues.releases(organizationId, release === '' ? [] : [release]),
    ask(REPORT_OF_EVENT, { projectId: project.id, eventId: event.eventID }),
  ])
  return {
    ...event,
    projectID: String(project.id),
    projectSlug: project.slug,
    release: release === '' ? null : releaseJson(release, releases.get(release)),
    userReport: report === null ? null : userReportJson(report, event.eventID),
  }
}
