import type { Expiring } from '../../storage/index.ts'

/**
 * How what holds blobs goes by its age, and with its project: a part in each transaction, so that nobody waits long for it.
 *
 * @param forgetSome of a project, of what is older than a moment, or of all for null; tells whether there was any
 */
export const forgettingInParts = (forgetSome: (projectId: number, before: number | null) => Promise<boolean>) => {
  const forgetAll = async (projectId: number, before: number | null, signal: AbortSignal): Promise<void> => {
    do signal.throwIfAborted()
    while (await forgetSome(projectId, before))
  }
  return {
    expire: async ({ before, projectIds, signal }: Expiring): Promise<void> => {
      for (const projectId of projectIds) await forgetAll(projectId, before, signal)
    },

    forgetProject: (projectId: number, signal: AbortSignal): Promise<void> => forgetAll(projectId, null, signal),
  }
}
