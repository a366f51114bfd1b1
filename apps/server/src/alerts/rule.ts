import type { AlertDraft } from '@firsthand/contract'

/** A rule as it is kept. */
export interface AlertRule {
  readonly id: number
  readonly organizationId: number
  /** Null for every project of the organisation. Projects that are gone are not among them. */
  readonly projectIds: readonly number[] | null
  /** All that somebody said of it; its projects are those above. */
  readonly draft: AlertDraft
  /** Why what was saved cannot be read any more; null for all that can. */
  readonly problem: string | null
  /** Rises with each change. */
  readonly version: number
  readonly isDefault: boolean
  /** Milliseconds since the epoch; `Infinity` until somebody takes it back, null when it is not muted. */
  readonly mutedUntil: number | null
  readonly mutedBy: number | null
  readonly createdBy: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastFiredAt: number | null
  /** As a script of Sentry's wrote it, to be given back so; null for rules that were made here. */
  readonly imported: string | null
}

export const isMuted = ({ mutedUntil }: Pick<AlertRule, 'mutedUntil'>, now: number): boolean =>
  mutedUntil !== null && now < mutedUntil

/** Whether it is about a project; what is of no project concerns rules for all. */
export const concerns = ({ projectIds }: Pick<AlertRule, 'projectIds'>, projectId: number | null): boolean =>
  projectIds === null || (projectId !== null && projectIds.includes(projectId))
