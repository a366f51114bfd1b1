import type { ProjectReference } from '../../accounts/index.ts'
import type { Result } from '../../lib/result.ts'
import type { SearchError } from '../../search/index.ts'
import type { ReplayServices } from '../services.ts'
import { lookUpNames, type NameLookUp } from './looked-up.ts'
import { compileReplaySearch, type ReplayFilter } from './replay-search.ts'

export type ReplaySearching = NameLookUp & Pick<ReplayServices, 'clock'>

/** A search over replays as a condition, with what it names looked up. @throws HttpError 400 for too much */
export const askForReplays = async (
  services: ReplaySearching,
  { organizationId, projects }: { readonly organizationId: number; readonly projects: readonly ProjectReference[] },
  asked: Parameters<typeof lookUpNames>[2],
): Promise<Result<ReplayFilter, SearchError>> => {
  const known = await lookUpNames(services, { organizationId, projectIds: projects.map(({ id }) => id) }, asked)
  return compileReplaySearch(asked.written, { projects, known, now: services.clock.now() })
}
