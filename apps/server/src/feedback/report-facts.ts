import { fittingTags, shorten, shortenOrNull, type Fact, type FactTags } from '../facts/index.ts'
import { chunks } from '../storage/ledger/chunks.ts'
import type { FeedbackReport, FeedbackStatus } from './feedback.ts'

/** What is noted of reports, for those who tell people of them. What is held for spam is not. */

export interface ReportOfFact {
  readonly eventId: string
  readonly source: string
  readonly message: string
  readonly name: string | null
  readonly email: string | null
  readonly url: string | null
  readonly browser: string | null
  readonly os: string | null
  readonly environment: string | null
  readonly release: string | null
  readonly hasPicture: boolean
  readonly replayId: string | null
  readonly tags: FactTags
  /** Further tags that there was no room for. */
  readonly tagsLeftOut: number
}

declare module '../facts/fact.ts' {
  interface FactKinds {
    /** @property isGathered it says the same as an open one, and stands under it */
    report_received: { readonly report: ReportOfFact; readonly isGathered: boolean }
    /** Who had sent a report wrote again. */
    reporter_replied: { readonly text: string; readonly message: string; readonly name: string | null }
    /** It was resolved, put away, or opened again. */
    report_moved: { readonly from: FeedbackStatus; readonly to: FeedbackStatus }
    /** They are gone for good, and facts about each of them with them: this one is about none. */
    reports_deleted: {
      readonly reportIds: readonly number[]
      /** Of those whose rows of telemetry are to go before their time. */
      readonly eventIds?: readonly string[]
      /** Of those with which files came. */
      readonly withFiles?: readonly string[]
    }
  }
}

export const reportOfFact = (report: FeedbackReport, attachments: number): ReportOfFact => {
  const tags = fittingTags(report.tags)
  return {
    eventId: report.eventId,
    source: report.source,
    message: shorten(report.message),
    name: shortenOrNull(report.name),
    email: shortenOrNull(report.email),
    url: shortenOrNull(report.url),
    browser: shortenOrNull(report.browser),
    os: shortenOrNull(report.os),
    environment: shortenOrNull(report.environment),
    release: shortenOrNull(report.release),
    hasPicture: attachments > 0,
    replayId: report.replayId,
    tags,
    tagsLeftOut: report.tags.length - tags.length,
  }
}

interface Actor {
  readonly organizationId: number
  readonly userId: number | null
  readonly now: number
}

/** What is noted when somebody moves a report. */
export const movedReport = (
  row: {
    readonly id: number
    readonly project_id: number
    readonly issue_id: number | null
    readonly status: FeedbackStatus
  },
  to: FeedbackStatus,
  { organizationId, userId, now }: Actor,
): Fact => ({
  organizationId,
  projectId: row.project_id,
  kind: 'report_moved',
  issueId: row.issue_id,
  reportId: row.id,
  actorId: userId,
  receivedAt: now,
  data: { from: row.status, to },
})

/** Ids that one fact has room for. */
const IDS_IN_A_FACT = 200

/** What is noted when reports are deleted. */
export const deletedReports = (
  rows: readonly {
    readonly id: number
    readonly project_id: number
    readonly event_id?: string
    readonly attachments?: number
  }[],
  { organizationId, userId, now }: Actor,
): readonly Fact[] =>
  [...Map.groupBy(rows, (row) => row.project_id)].flatMap(([projectId, own]) =>
    chunks(own, IDS_IN_A_FACT).map((part) => ({
      organizationId,
      projectId,
      kind: 'reports_deleted',
      issueId: null,
      reportId: null,
      actorId: userId,
      receivedAt: now,
      data: {
        reportIds: part.map(({ id }) => id),
        eventIds: part.flatMap(({ event_id: eventId }) => eventId ?? []),
        withFiles: part.flatMap(({ attachments = 0, event_id: eventId }) => (attachments > 0 ? (eventId ?? []) : [])),
      },
    })),
  )
