import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import type { NoticeKind } from '../notice.ts'
import { paceOf, readSettings, WAYS } from '../settings.ts'

type Reader = Pick<LedgerTransaction, 'selectFrom'>

/** Whom something concerns. Whether they want to hear of it, `notify` asks them. */

/** By issue: who follows it. */
export const subscribersOf = async (
  db: Reader,
  issueIds: readonly number[],
): Promise<Map<number, readonly Subscriber[]>> => {
  const found = new Map<number, readonly Subscriber[]>()
  for (const part of chunks([...new Set(issueIds)], ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('issue_marks')
      .leftJoin('notice_subscriptions', (join) =>
        join
          .onRef('notice_subscriptions.user_id', '=', 'issue_marks.user_id')
          .onRef('notice_subscriptions.issue_id', '=', 'issue_marks.issue_id'),
      )
      .select(['issue_marks.user_id', 'issue_marks.issue_id', 'notice_subscriptions.reason'])
      .where('issue_marks.issue_id', 'in', part)
      .where('issue_marks.is_subscribed', '=', 1)
      .execute()
    for (const { user_id: userId, issue_id: issueId, reason } of rows) {
      found.set(issueId, [...(found.get(issueId) ?? []), { userId, reason: reason ?? 'by hand' }])
    }
  }
  return found
}

export interface Subscriber {
  readonly userId: number
  readonly reason: 'assigned' | 'mentioned' | 'commented' | 'by hand'
}

export const teamMembers = async (db: Reader, teamId: number): Promise<readonly number[]> => {
  const rows = await db
    .selectFrom('team_members')
    .innerJoin('members', 'members.id', 'team_members.member_id')
    .select('members.user_id')
    .where('team_members.team_id', '=', teamId)
    .where('members.user_id', 'is not', null)
    .orderBy('members.user_id')
    .limit(LIMITS.NOTICE_PEOPLE)
    .execute()
  return rows.map((row) => row.user_id).filter((id): id is number => id !== null)
}

/** Members of the teams that have the project; all of the organisation where none has it. */
export const peopleOfProject = async (
  db: Reader,
  organizationId: number,
  projectId: number,
): Promise<readonly number[]> => {
  const ofTeams = await db
    .selectFrom('team_projects')
    .innerJoin('team_members', 'team_members.team_id', 'team_projects.team_id')
    .innerJoin('members', 'members.id', 'team_members.member_id')
    .select('members.user_id')
    .distinct()
    .where('team_projects.project_id', '=', projectId)
    .where('members.organization_id', '=', organizationId)
    .where('members.user_id', 'is not', null)
    .orderBy('members.user_id')
    .limit(LIMITS.NOTICE_PEOPLE)
    .execute()
  const rows =
    ofTeams.length > 0
      ? ofTeams
      : await db
          .selectFrom('members')
          .select('user_id')
          .where('organization_id', '=', organizationId)
          .where('user_id', 'is not', null)
          .orderBy('user_id')
          .limit(LIMITS.NOTICE_PEOPLE)
          .execute()
  return rows.map((row) => row.user_id).filter((id): id is number => id !== null)
}

/** Members who asked to hear of all that is of a kind, which nobody hears of by default. */
export const whoAskedFor = async (
  db: Reader,
  organizationId: number,
  kind: NoticeKind,
): Promise<(projectId: number | null) => readonly number[]> => {
  const rows = await db
    .selectFrom('notice_settings')
    .innerJoin('members', 'members.user_id', 'notice_settings.user_id')
    .select(['notice_settings.user_id', 'notice_settings.settings'])
    .where('members.organization_id', '=', organizationId)
    .orderBy('notice_settings.user_id')
    .execute()
  const people = rows.map((row) => ({ userId: row.user_id, settings: readSettings(row.settings) }))
  return (projectId) =>
    people
      .filter(({ settings }) => WAYS.some((way) => paceOf(settings, kind, way, projectId) !== 'never'))
      .map(({ userId }) => userId)
}

/** Names of people, and what they are called where they gave none. */
export const namesOf = async (db: Reader, userIds: Iterable<number | null>): Promise<ReadonlyMap<number, string>> => {
  const ids = [...new Set([...userIds].filter((id): id is number => id !== null))]
  const names = new Map<number, string>()
  for (const part of chunks(ids, ROWS_PER_STATEMENT)) {
    const rows = await db.selectFrom('users').select(['id', 'name', 'email']).where('id', 'in', part).execute()
    for (const { id, name, email } of rows) names.set(id, name || email)
  }
  return names
}
