import type { DetectorJson } from '@firsthand/contract'
import { toDate } from '../../lib/instant-text.ts'
import type { Ledger } from '../../storage/index.ts'
import type { AlertRule } from '../rule.ts'
import { besides } from '../searches.ts'

/**
 * What every project finds by itself: errors, and issues of all kinds. Sentry's clients look for both by the project, and
 * make alerts of them.
 */

/** Beyond all ids of rules. */
const BEGIN = { error: 1_000_000_000_000, issue_stream: 2_000_000_000_000 } as const
type Kind = keyof typeof BEGIN
const SIZE = 1_000_000_000_000

const NAMES = { error: 'Error Monitor', issue_stream: 'Issue Stream' } as const

/** What a rule asks that is told of errors alone. */
export const ERRORS_ALONE = 'issue.category:error'

export const projectDetectorId = (kind: Kind, projectId: number): string => String(BEGIN[kind] + projectId)

/** Null for ids of rules. */
export const readProjectDetector = (id: number): { readonly kind: Kind; readonly projectId: number } | null => {
  for (const kind of ['error', 'issue_stream'] as const) {
    if (id > BEGIN[kind] && id < BEGIN[kind] + SIZE) return { kind, projectId: id - BEGIN[kind] }
  }
  return null
}

const isOfErrors = ({ draft }: AlertRule): boolean => besides(ERRORS_ALONE, draft.query) !== null

/** What a rule is told of by. */
export const detectorsOf = (rule: AlertRule, projectIds: readonly number[]): string[] =>
  rule.draft.trigger.source === 'happened'
    ? (rule.projectIds ?? projectIds).map((id) => projectDetectorId(isOfErrors(rule) ? 'error' : 'issue_stream', id))
    : [String(rule.id)]

export interface DetectingProject {
  readonly id: number
  readonly createdAt: number
}

/** Those of an organisation, in their order. */
export const readDetectingProjects = async (
  { db }: Pick<Ledger, 'db'>,
  organizationId: number,
): Promise<DetectingProject[]> => {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ created_at: createdAt, id }) => ({ id, createdAt }))
}

/** @param rules all of the organisation */
export const projectDetectors = (
  projects: readonly DetectingProject[],
  rules: readonly AlertRule[],
): DetectorJson[] => {
  const connected = new Map<string, string[]>()
  const ids = projects.map(({ id }) => id)
  for (const rule of rules) {
    for (const id of detectorsOf(rule, ids)) connected.set(id, [...(connected.get(id) ?? []), String(rule.id)])
  }
  return projects.flatMap(({ createdAt, id: projectId }) =>
    (['error', 'issue_stream'] as const).map((kind): DetectorJson => {
      const id = projectDetectorId(kind, projectId)
      return {
        id,
        projectId: String(projectId),
        name: NAMES[kind],
        description: null,
        type: kind,
        workflowIds: connected.get(id) ?? [],
        owner: null,
        createdBy: null,
        dateCreated: toDate(createdAt),
        dateUpdated: toDate(createdAt),
        dataSources: null,
        conditionGroup: null,
        config: {},
        enabled: true,
        latestGroup: null,
      }
    }),
  )
}
