import type { Accounts } from '../accounts/index.ts'
import { badRequest, notFound } from '../http/index.ts'

export type ProjectOf = (
  organizationId: number,
  reference: string,
) => Promise<{ readonly organizationId: number; readonly projectId: number }>

/** The project of an address. @throws HttpError 404 */
export const findProject =
  ({ store }: Pick<Accounts, 'store'>): ProjectOf =>
  async (organizationId, reference) => {
    const project = await store.project(organizationId, reference)
    if (project === null) throw notFound()
    return { organizationId, projectId: project.id }
  }

export type ProjectsOf = (organizationId: number, references: readonly string[]) => Promise<readonly number[]>

/** Those that an upload is for: all of them or none. @throws HttpError 400 */
export const findProjects =
  ({ projects, store }: Pick<Accounts, 'projects' | 'store'>): ProjectsOf =>
  async (organizationId, references) => {
    // Older programs name the release alone: its files are for whoever has one project, and nobody can guess among many.
    if (references.length === 0) {
      const [only, another] = await store.projects(organizationId, '', { offset: 0, limit: 2 })
      if (only === undefined || another !== undefined) {
        throw badRequest(
          'One or more projects are invalid: name the project that these files are for, as this organisation has several.',
        )
      }
      return [only.id]
    }
    const ids = await projects.resolve(organizationId, references)
    if (ids === null) {
      throw badRequest('One or more projects are invalid: this organisation has no project of that slug or id.')
    }
    return ids
  }
