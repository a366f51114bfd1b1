import type { Clock } from '../lib/clock.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import { LIMITS } from './limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { Project } from './model.ts'
import { createKeys } from './keys.ts'
import { makePublicKey } from './secrets.ts'
import { changeProjectSettings, readProjectSettings } from './settings-json.ts'
import { freeSlug, slugify } from './slugs.ts'

/** Projects and their keys. */

const NO_PROJECT = failure('not_found', 'This project does not exist.')

/** Inside a transaction: a project with its first key. */
export const insertProjectWithKey = async (
  store: AccountStore,
  project: {
    id?: number | undefined
    publicKey?: string | undefined
    organizationId: number
    slug: string
    name: string
    platform: string
    now: number
  },
): Promise<{ projectId: number; publicKey: string }> => {
  const projectId = await store.insertProject(project)
  const publicKey = project.publicKey ?? makePublicKey()
  await store.insertKey({ projectId, publicKey, label: 'Default', rateLimit: null, now: project.now })
  return { projectId, publicKey }
}

interface NewProject {
  readonly name: string
  readonly slug?: string | undefined
  readonly platform: string
  /** Slug or id of the team that gets it. */
  readonly team?: string | undefined
}

/** Inside a transaction. */
const createProject = async (
  store: AccountStore,
  organizationId: number,
  project: NewProject,
  now: number,
): Promise<Result<Project, Failure>> => {
  if ((await store.countProjects(organizationId)) >= LIMITS.PROJECTS_PER_ORGANIZATION) {
    const detail = `An organisation has at most ${LIMITS.PROJECTS_PER_ORGANIZATION} projects. Delete some first.`
    return err(failure('conflict', detail))
  }
  const isTaken = async (slug: string): Promise<boolean> => (await store.project(organizationId, slug)) !== null
  if (project.slug !== undefined && (await isTaken(project.slug))) {
    return err(failure('conflict', 'A project with this slug exists.', { field: 'slug' }))
  }
  const team = project.team === undefined ? null : await store.team(organizationId, project.team)
  if (project.team !== undefined && team === null) {
    return err(failure('invalid', `There is no team "${project.team}".`, { field: 'team' }))
  }
  const slug = project.slug ?? (await freeSlug(slugify(project.name, 'project'), isTaken))
  const { name, platform } = project
  const { projectId } = await insertProjectWithKey(store, {
    organizationId,
    slug,
    name,
    platform,
    now,
  })
  if (team !== null) await store.addTeamProject(team.id, projectId)
  const created = await store.project(organizationId, String(projectId))
  return created === null ? err(NO_PROJECT) : ok(created)
}

/** Hands a result on, and tells of a change that was made. */
export const telling =
  (onChange: () => void) =>
  <Value>(result: Result<Value, Failure>): Result<Value, Failure> => {
    if (result.ok) onChange()
    return result
  }

export type Projects = ReturnType<typeof createProjects>

export const createProjects = (parts: {
  readonly store: AccountStore
  readonly clock: Clock
  /** Told after each change that the door and the digest must notice. */
  readonly onChange: () => void
}) => {
  const { store, clock, onChange } = parts

  const changed = telling(onChange)
  return {
    /** Ids of projects given as slugs or numeric ids; null when one of them is not in the organisation. */
    async resolve(organizationId: number, references: readonly string[]): Promise<number[] | null> {
      const ids = new Set<number>()
      for (const reference of new Set(references)) {
        const project = await store.project(organizationId, reference)
        if (project === null) return null
        ids.add(project.id)
      }
      return [...ids]
    },

    create: async (organizationId: number, project: NewProject): Promise<Result<Project, Failure>> =>
      changed(await atomically(store, (store) => createProject(store, organizationId, project, clock.now()))),

    async update(
      organizationId: number,
      reference: string,
      change: {
        name?: string | undefined
        slug?: string | undefined
        platform?: string | undefined
        settings?: unknown
      },
    ): Promise<Result<Project, Failure>> {
      return changed(
        await atomically(store, async (store) => {
          const project = await store.project(organizationId, reference)
          if (project === null) return err(NO_PROJECT)
          const other = change.slug === undefined ? null : await store.project(organizationId, change.slug)
          if (other !== null && other.id !== project.id) {
            return err(failure('conflict', 'A project with this slug exists.', { field: 'slug' }))
          }
          await store.updateProject(project.id, {
            name: change.name,
            slug: change.slug,
            platform: change.platform,
            settings:
              change.settings === undefined
                ? undefined
                : JSON.stringify(changeProjectSettings(readProjectSettings(project.settings), change.settings)),
          })
          return ok((await store.project(organizationId, String(project.id))) ?? project)
        }),
      )
    },

    /** Its keys stop working at once; what it stored is removed later. */
    async remove(organizationId: number, reference: string): Promise<Result<null, Failure>> {
      return changed(
        await atomically(store, async (store) => {
          const project = await store.project(organizationId, reference)
          if (project === null) return err(NO_PROJECT)
          await store.removeProject(project.id, clock.now())
          return ok(null)
        }),
      )
    },

    async setTeam(
      organizationId: number,
      reference: string,
      teamReference: string,
      belongs: boolean,
    ): Promise<Result<Project, Failure>> {
      return atomically(store, async (store) => {
        const project = await store.project(organizationId, reference)
        const team = await store.team(organizationId, teamReference)
        if (project === null) return err(NO_PROJECT)
        if (team === null) return err(failure('not_found', 'This team does not exist.'))
        await (belongs ? store.addTeamProject(team.id, project.id) : store.removeTeamProject(team.id, project.id))
        return ok((await store.project(organizationId, String(project.id))) ?? project)
      })
    },

    ...createKeys({ store, clock, changed }),
  }
}
