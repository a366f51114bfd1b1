import { getEventCommitters, type SuspectCommit } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { releasesKey } from '../query-keys.ts'

/** Commits that changed what threw; none for an event that is not there (yet), or where that is a guess. */
export const suspectsQuery = (org: string, project: string, event: string | null) =>
  queryOptions({
    queryKey: [...releasesKey(org), 'suspects', project, event],
    queryFn: async ({ signal }): Promise<readonly SuspectCommit[]> => {
      const params = { org, project, event: event ?? '' }
      const { committers } = await api.call(getEventCommitters, { params, signal })
      return committers.flatMap(({ commits }) => commits)
    },
    enabled: event !== null,
  })
