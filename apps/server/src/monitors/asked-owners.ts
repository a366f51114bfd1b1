import { badRequest } from '../http/index.ts'

/** Whose monitors are asked for: any of these. */
export interface AskedOwners {
  readonly userIds: readonly number[]
  readonly teamIds: readonly number[]
  /** Those of the caller's teams, too. */
  readonly ofTeamsOf: number | null
  readonly unassigned: boolean
}

/** Null for everybody's. @throws HttpError 400 with what can be asked for */
export const readOwners = (references: readonly string[] | undefined, callerId: number): AskedOwners | null => {
  if (references === undefined || references.length === 0) return null
  const [userIds, teamIds]: [number[], number[]] = [[], []]
  for (const reference of references) {
    const [, type, id] = /^(user|team):(\d{1,15})$/.exec(reference) ?? []
    if (type !== undefined) (type === 'user' ? userIds : teamIds).push(Number(id))
    else if (reference !== 'myteams' && reference !== 'unassigned') {
      const detail = `"${reference}" owns no monitors. Ask for user:1, team:2, myteams or unassigned.`
      throw badRequest(detail, { owner: detail })
    }
  }
  return {
    userIds,
    teamIds,
    ofTeamsOf: references.includes('myteams') ? callerId : null,
    unassigned: references.includes('unassigned'),
  }
}
