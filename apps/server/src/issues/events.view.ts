import type { RowFilter } from '../search/index.ts'
import type { EventColumn } from './search/index.ts'
import type { NormalisedEvent } from '../event/event.ts'
import type { Buckets, Period } from '../search/index.ts'
import type { StoredGrouping } from './grouped.ts'

/**
 * PORT: what telemetry knows about events. Every scope names its organisation and projects. Telemetry answers it; the
 * count cache and read-your-writes answer parts of it in its place.
 */
export interface EventView {
  /** Issues (as stored) that have an event in the scope; at most `limit`. */
  matchingIssues(scope: EventScope, limit: number): Promise<readonly number[]>
  /** Issues (as stored) by events or users in the scope, most first. */
  rankIssues(scope: EventScope, by: 'events' | 'users', limit: number): Promise<readonly IssueRank[]>
  /** Counts and sparklines of all issues of a page in one query. */
  countIssues(request: IssueCountRequest): Promise<ReadonlyMap<number, IssueCounts>>
  /** Events of these issues that are in the scope; an issue without any is absent. */
  countWithin(
    scope: EventScope,
    issues: IssueCountRequest['issues'],
  ): Promise<ReadonlyMap<number, Omit<IssueCounts, 'series'>>>
  /** Newest first; one more than `limit` when there are more. */
  list(scope: EventScope, page: { readonly limit: number; readonly offset: number }): Promise<readonly EventSummary[]>
  /** Null when it is not (or not yet) there. */
  load(place: EventPlace): Promise<LoadedEvent | null>
  /** Of one project, `EVENTS_LOADED_TOGETHER` at most: those that are there and can be read, by their ids. */
  loadSome(places: readonly EventPlace[]): Promise<ReadonlyMap<string, LoadedEvent>>
  /** Where the newest event of each of these issues (as stored) of a project is; one without any is absent. */
  newest(issues: {
    readonly organizationId: number
    readonly projectId: number
    readonly issueIds: readonly number[]
  }): Promise<readonly EventPlace[]>
  /** One that tells most, and is new. */
  recommended(scope: EventScope): Promise<EventPlace | null>
  /**
   * The newest or oldest event, with the id of the one beside it, in one reading.
   *
   * @param within where it is looked for first: a guess that saves reading, and needs not hold
   */
  outermost(scope: EventScope, which: 'latest' | 'oldest', within: Period | null): Promise<OutermostEvent | null>
  /** Ids of the neighbours in time, in the same scope. */
  neighbours(
    scope: EventScope,
    place: EventPlace,
  ): Promise<{ readonly previous: string | null; readonly next: string | null }>
  /** Distributions of tags, of at most `TAG_KEYS_SHOWN` keys: those that most events have. */
  tags(
    scope: EventScope,
    request: { readonly keys: readonly string[]; readonly values: number },
  ): Promise<readonly TagDistribution[]>
  /** How the events of the issues of the scope differ from the others of its projects, in the tags of these keys. */
  compareTags(
    scope: EventScope & { readonly issueIds: readonly number[] },
    request: TagComparisonRequest,
  ): Promise<TagComparison>
  /** Tag keys with the number of events that have them, most first. */
  tagKeys(scope: EventScope, limit: number): Promise<readonly { readonly key: string; readonly events: number }[]>
  /** Values of a tag, or of a field of events that is searched like one (`user.email`, `platform`, …). */
  tagValues(scope: EventScope, request: TagValuesRequest): Promise<readonly TagValue[]>
  table(scope: EventScope, request: TableRequest): Promise<TablePage>
  /** By bucket number; empty buckets are absent. */
  series(
    scope: EventScope,
    buckets: Buckets,
  ): Promise<ReadonlyMap<number, { readonly events: number; readonly users: number }>>
  /** Aggregates over time: of all events, or of each of the first `limit` combinations of values. */
  charts(scope: EventScope, buckets: Buckets, request: ChartRequest): Promise<readonly Chart[]>
  /** Of an issue by the ids under which it is stored: events of the hour that runs, and above how many it escalates. */
  escalation(issue: EscalatingIssue, now: number): Promise<{ readonly events: number; readonly limit: number }>
  /** The most events one day had in the week before `now`, by issue as stored. */
  dailyPeaks(scope: EventScope, now: number): Promise<ReadonlyMap<number, number>>
}

export interface EventScope {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  /** As stored. Null for all. */
  readonly issueIds: readonly number[] | null
  readonly period: Period | null
  readonly environments: readonly string[]
  readonly filter: RowFilter | null
}

export interface EscalatingIssue {
  readonly projectId: number
  readonly storedIds: readonly number[]
  readonly firstSeen: number
}

export interface IssueRank {
  readonly issueId: number
  readonly value: number
}

export interface IssueCountRequest {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  /** Issue → ids under which its events are stored. */
  readonly issues: ReadonlyMap<number, readonly number[]>
  readonly environments: readonly string[]
  /** What `events` and `users` count; null for everything. */
  readonly period: Period | null
  readonly buckets: Buckets | null
}

export interface IssueCounts {
  readonly events: number
  readonly users: number
  /** Milliseconds since the epoch; null when the period has no event. */
  readonly firstSeen: number | null
  readonly lastSeen: number | null
  /** Events by bucket number. */
  readonly series: ReadonlyMap<number, number>
}

/** Where one event is stored: enough to read exactly one row. */
export interface EventPlace {
  readonly organizationId: number
  readonly projectId: number
  readonly storedIssueId: number
  /** Milliseconds since the epoch. */
  readonly timestamp: number
  readonly eventId: string
}

export interface LoadedEvent {
  readonly place: EventPlace
  readonly receivedAt: number
  readonly event: NormalisedEvent
  /** Of the event's JSON. */
  readonly bytes: number
  /** As they were when it was stored. */
  readonly title: string
  readonly culprit: string
  /** What grouping decided when it was stored; null for events that were stored before that was kept. */
  readonly grouping: StoredGrouping | null
}

export interface OutermostEvent extends LoadedEvent {
  /** The event before the newest, or after the oldest. */
  readonly beside: string | null
}

export interface EventSummary {
  readonly eventId: string
  readonly projectId: number
  readonly storedIssueId: number
  readonly timestamp: number
  readonly type: string
  readonly title: string
  readonly message: string
  readonly culprit: string
  readonly platform: string
  readonly user: { readonly id: string; readonly email: string; readonly username: string; readonly ip: string }
  readonly tags: Readonly<Record<string, string>>
}

export interface TagDistribution {
  readonly key: string
  /** Events that have the tag. */
  readonly total: number
  readonly unique: number
  readonly values: readonly TagValue[]
}

export interface TagValue {
  readonly value: string
  /** What a person calls it: of a user the e-mail or the name; '' where the value is all there is. */
  readonly name: string
  readonly count: number
  readonly firstSeen: number
  readonly lastSeen: number
}

export interface TagComparisonRequest {
  readonly keys: readonly string[]
  /** Most frequent values of each key that are compared. */
  readonly values: number
  /** Of more events, on either side, so many are looked at, chosen evenly. */
  readonly sample: number
  /** So many that stand beside each other are chosen together. */
  readonly run: number
}

export interface TagComparison {
  /** Events that were looked at. */
  readonly events: number
  readonly otherEvents: number
  /** How many of them have the value. */
  readonly values: readonly {
    readonly key: string
    readonly value: string
    readonly count: number
    readonly otherCount: number
  }[]
}

export interface TagValuesRequest {
  readonly key: string
  /** Only values that contain this. */
  readonly containing: string
  readonly sort: 'count' | 'date' | 'age'
  readonly limit: number
  readonly offset: number
}

export interface TablePage {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Whether there are rows behind these: because of `limit`, or of `bytes`. */
  readonly more: boolean
}

export interface TableRequest {
  /** Values of a page: with the row that exceeds it the page ends. */
  readonly bytes: number
  readonly columns: readonly EventColumn[]
  /** Index into `columns`. */
  readonly sort: readonly { readonly column: number; readonly descending: boolean }[]
  readonly limit: number
  readonly offset: number
}

export interface ChartRequest {
  /** Aggregates. */
  readonly axes: readonly EventColumn[]
  /** Empty: one chart of everything. */
  readonly by: readonly EventColumn[]
  readonly order: { readonly axis: number; readonly descending: boolean }
  readonly limit: number
  /** One more chart, the last, of all events that are in none of the others. */
  readonly others: boolean
}

export interface Chart {
  /** By name of the columns. */
  readonly values: Readonly<Record<string, unknown>>
  /** One number per axis, by bucket number; empty buckets are absent. */
  readonly points: ReadonlyMap<number, readonly number[]>
}
