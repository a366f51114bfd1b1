import type { ProjectReference } from '../accounts/index.ts'
import type { TimeRange } from '../search/index.ts'
import type { IssueOrder } from './issue-order.ts'
import type { IssueCondition } from './search/index.ts'
import type { JsonObject } from '../event/event.ts'
import type { PriorityReason } from './workflow/priority-points.ts'
import type { StatusDetails } from './workflow/status.ts'

export interface IssueSelection {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  /** Whether `projectIds` are all living projects: then the organisation's indexes serve. */
  readonly allProjects: boolean
  readonly condition: IssueCondition | null
  /** Who `me` is. */
  readonly userId: number | null
  /** Which issues have a ticket in a tracker, where the condition asks for it. */
  readonly linkedIds?: readonly number[]
  /** Only issues that were seen in this range. */
  readonly seen: TimeRange | null
  /** Only these, as telemetry found them; null for no such limit. */
  readonly ids: readonly number[] | null
}

export interface IssuePageRequest {
  readonly sort: IssueOrder
  /** The row beyond which the page lies. */
  readonly beyond: { readonly value: number; readonly id: number } | null
  /** Towards newer rows; the answer is in the order of the stream all the same. */
  readonly backwards: boolean
  readonly limit: number
}

export interface Person {
  readonly id: number
  readonly name: string
  readonly email: string
}

export type AssigneeRecord =
  | { readonly type: 'user'; readonly id: number; readonly name: string; readonly email: string }
  | { readonly type: 'team'; readonly id: number; readonly name: string; readonly slug: string }

export interface IssueRecord {
  readonly id: number
  readonly project: ProjectReference
  readonly shortId: string
  readonly type: string
  readonly category: string
  readonly title: string
  readonly culprit: string
  readonly metadata: JsonObject
  readonly level: string
  readonly platform: string
  readonly logger: string
  readonly status: 'unresolved' | 'resolved' | 'ignored'
  readonly substatus: string | null
  readonly statusDetails: StatusDetails
  readonly priority: 'high' | 'medium' | 'low'
  /** What its points are for; none until they were counted. */
  readonly priorityReasons: readonly PriorityReason[]
  /** When somebody set it. Milliseconds since the epoch. */
  readonly priorityLockedAt: number | null
  readonly unhandled: boolean
  /** Milliseconds since the epoch. */
  readonly firstSeen: number
  readonly lastSeen: number
  readonly timesSeen: number
  readonly firstRelease: string | null
  readonly lastRelease: string | null
  readonly assignee: AssigneeRecord | null
  readonly notes: number
  /** Ids under which telemetry keeps its events: its own, and those of issues that were merged into it. */
  readonly storedIds: readonly number[]
}

export interface ActivityRequest {
  readonly types?: readonly string[]
  readonly limit: number
  readonly offset: number
}

export interface ActivityRecord {
  readonly id: number
  readonly type: string
  readonly user: Person | null
  readonly data: JsonObject
  readonly createdAt: number
}

export interface HashRecord {
  readonly hash: string
  readonly groupingVersion: string
  readonly createdAt: number
}

export interface ReleaseRecord {
  readonly version: string
  readonly firstSeen: number
  readonly dateReleased: number | null
}

export interface EventLocation {
  readonly projectId: number
  /** As stored in telemetry; the issue may have been merged into another since. */
  readonly storedIssueId: number
  readonly timestamp: number
}
