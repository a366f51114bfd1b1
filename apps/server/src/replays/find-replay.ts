import { chooseProjects, type ProjectReference } from '../accounts/index.ts'
import { readTraceId } from '../event/index.ts'
import { notFound, orBadRequest } from '../http/index.ts'
import type { ReplayRecord, ReplayReference, ReplayScope } from './replay.ts'
import type { Granted, ReplayServices } from './services.ts'

/** Which replay a request names, among those that its caller may see. */

export type Finding = Pick<ReplayServices, 'projects'> & Granted<{ deletions: 'find'; replays: 'find' }>

export interface FoundReplay {
  readonly scope: ReplayScope
  readonly projects: readonly ProjectReference[]
  readonly record: ReplayRecord
}

/** A replay, or what is left of one that was deleted. */
export type FoundOrArchived = FoundReplay | { readonly archived: ReplayReference }

/** Two projects may have the same id: of one of them it may be deleted. */
export const deletedIn = async (
  { deletions }: Granted<{ deletions: 'find' }>,
  projectIds: readonly number[],
  replayId: string,
): Promise<{ readonly archived: ReplayReference | null; readonly others: readonly number[] }> => {
  let others = projectIds
  let archived: ReplayReference | null = null
  for (;;) {
    const deleted = await deletions.find(others, replayId)
    if (deleted === null) return { archived, others }
    archived ??= deleted
    others = others.filter((id) => id !== deleted.projectId)
  }
}

/** @throws HttpError 400 for `references` that name no project, 404 */
export const lookInOrganization = async (
  { deletions, projects, replays }: Finding,
  organizationId: number,
  written: string,
  references?: readonly string[],
): Promise<FoundOrArchived> => {
  const living = await projects(organizationId)
  const chosen = orBadRequest(chooseProjects(living, references))
  const replayId = readTraceId(written)
  if (replayId === null) throw notFound()
  const chosenIds = chosen.map(({ id }) => id)
  const { archived, others } = await deletedIn({ deletions }, chosenIds, replayId)
  const scope = { organizationId, projectIds: others }
  const record = others.length === 0 ? null : await replays.find(scope, replayId)
  if (record === null && archived !== null) return { archived }
  if (record === null) throw notFound()
  return { scope, projects: living, record }
}

/** The project by its slug or id. @throws HttpError 404 */
export const findProject = async (
  { projects }: Pick<ReplayServices, 'projects'>,
  organizationId: number,
  named: string,
): Promise<ProjectReference> => {
  const found = (await projects(organizationId)).find(({ id, slug }) => slug === named || String(id) === named)
  if (found === undefined) throw notFound()
  return found
}

interface OfProject {
  readonly project: string
  readonly replay: string
}

/** @throws HttpError 404 */
export const lookInProject = async (
  services: Finding,
  organizationId: number,
  { project, replay }: OfProject,
): Promise<FoundOrArchived> => {
  const { slug } = await findProject(services, organizationId, project)
  return lookInOrganization(services, organizationId, replay, [slug])
}

/** @throws HttpError 404 also for one that was deleted */
const present = (found: FoundOrArchived): FoundReplay => {
  if ('archived' in found) throw notFound('This replay was deleted.')
  return found
}

/** @throws HttpError 404 */
export const findOfProject = async (
  services: Finding,
  organizationId: number,
  params: OfProject,
): Promise<FoundReplay> => present(await lookInProject(services, organizationId, params))

/** @throws HttpError 404 */
export const findOfOrganization = async (
  services: Finding,
  organizationId: number,
  replayId: string,
): Promise<FoundReplay> => present(await lookInOrganization(services, organizationId, replayId))
