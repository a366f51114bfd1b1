import type { AlertAction } from '@firsthand/contract'
import { DAY_MS } from '../lib/durations.ts'
import type { Ledger, LedgerTransaction } from '../storage/index.ts'
import { LIMITS } from './limits.ts'
import type { OwnedIssue, Outlets } from './outlets.ts'

type PeopleAction = Extract<AlertAction, { readonly kind: 'people' }>

/** What people are to be told of. */
export interface Told {
  readonly organizationId: number
  /** Null where it is of no issue: then nobody owns it. */
  readonly issue: OwnedIssue | null
}

/** Those who were here last, whoever it is: somebody has to hear of it. */
export const recentPeople = async (
  { db }: { readonly db: Ledger['db'] | LedgerTransaction },
  organizationId: number,
  now: number,
): Promise<number[]> => {
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('sessions', 'sessions.user_id', 'users.id')
    .select(({ fn }) => ['users.id', 'users.last_login_at', fn.max('sessions.last_seen_at').as('seen_at')])
    .where('members.organization_id', '=', organizationId)
    .groupBy(['users.id', 'users.last_login_at'])
    .execute()
  const seen = rows
    .map(({ id, last_login_at: loginAt, seen_at: seenAt }) => ({ id, at: Math.max(loginAt ?? 0, seenAt ?? 0) }))
    .toSorted((left, right) => right.at - left.at || left.id - right.id)
  const lately = seen.filter(({ at }) => at >= now - LIMITS.ALERT_RECENT_DAYS * DAY_MS)
  return (lately.length > 0 ? lately : seen).slice(0, LIMITS.ALERT_RECENT_PEOPLE).map(({ id }) => id)
}

/** Members of the teams that have the project; of the whole organisation where no team has it, or it is of no project. */
const everybodyOf = async ({ db }: Ledger, organizationId: number, projectId: number | null): Promise<number[]> => {
  const members = db
    .selectFrom('members')
    .select('members.user_id')
    .where('members.organization_id', '=', organizationId)
    .where('members.user_id', 'is not', null)
    .orderBy('members.id')
    .limit(LIMITS.ALERT_PEOPLE)
  const ofTeams = await members
    .innerJoin('team_members', 'team_members.member_id', 'members.id')
    .innerJoin('team_projects', 'team_projects.team_id', 'team_members.team_id')
    .where('team_projects.project_id', '=', projectId ?? 0)
    .execute()
  const rows = ofTeams.length > 0 ? ofTeams : await members.execute()
  return [...new Set(rows.flatMap(({ user_id: id }) => id ?? []))]
}

const teamMembers = async ({ db }: Ledger, organizationId: number, teamId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .innerJoin('members', 'members.id', 'team_members.member_id')
    .select('members.user_id')
    .where('teams.id', '=', teamId)
    .where('teams.organization_id', '=', organizationId)
    .limit(LIMITS.ALERT_PEOPLE)
    .execute()
  return rows.flatMap(({ user_id: id }) => id ?? [])
}

export const createReceivers = ({
  ledger,
  fallsThrough,
  ownersOf,
}: Pick<Outlets, 'fallsThrough' | 'ownersOf'> & { readonly ledger: Ledger }) => ({
  /** Users whom the action tells. */
  of: async (action: PeopleAction, told: Told, now: number): Promise<readonly number[]> => {
    const { organizationId } = told
    if (action.target === 'member') return action.id === null ? [] : [Number(action.id)]
    if (action.target === 'team') {
      return action.id === null ? [] : teamMembers(ledger, organizationId, Number(action.id))
    }
    const owners = told.issue === null ? [] : await ownersOf(told.issue)
    if (owners.length > 0) return owners.slice(0, LIMITS.ALERT_PEOPLE)
    if (action.fallthrough === 'nobody') return []
    // What its project says holds for every alert.
    if (told.issue !== null && !(await fallsThrough(told.issue.projectId))) return []
    return action.fallthrough === 'all'
      ? everybodyOf(ledger, organizationId, told.issue?.projectId ?? null)
      : recentPeople(ledger, organizationId, now)
  },
})

export type Receivers = ReturnType<typeof createReceivers>
