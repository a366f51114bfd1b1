import { DAY_MS } from '../../lib/durations.ts'
import { LIMITS } from '../limits.ts'
import type { Ledger, RetentionPart } from '../../storage/index.ts'

const expireSessions = async (ledger: Ledger, now: number): Promise<number> => {
  const result = await ledger.db.deleteFrom('sessions').where('expires_at', '<', now).executeTakeFirst()
  return Number(result.numDeletedRows)
}

const expireInvitations = async (ledger: Ledger, now: number): Promise<number> => {
  const result = await ledger.db
    .deleteFrom('members')
    .where('user_id', 'is', null)
    .where('invite_expires_at', '<', now - LIMITS.INVITATION_RETENTION_DAYS * DAY_MS)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Keys, teams' links and whatever else names the project by a foreign key go with it. */
const deleteProject = async (ledger: Ledger, projectId: number): Promise<void> => {
  await ledger.db.deleteFrom('projects').where('id', '=', projectId).execute()
}

export const createAccountRetention = ({ ledger }: { readonly ledger: Ledger }): RetentionPart => ({
  sweep: async (now) => ({
    sessions: await expireSessions(ledger, now),
    invitations: await expireInvitations(ledger, now),
  }),
  forgetProject: (projectId) => deleteProject(ledger, projectId),
})
