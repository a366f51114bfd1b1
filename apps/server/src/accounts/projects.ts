import type { Clock } from '../lib/clock.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import { LIMITS } from '../limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { Project, ProjectKey } from './model.ts'
import { makePublicKey } from './secrets.ts'
import { changeProjectSettings, readProjectSettings } from './settings-json.ts'
import type { RateLimit } from './settings.ts'
import { freeSlug, slugify } from './slugs.ts'

/** Projects and their keys. */

const NO_PROJECT = failure('not_found', 'This project does not exist.')
const NO_KEY = failure('not_found', 'This key does not exist.')

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

export type Projects = ReturnType<typeof createProjects>

export const createProjects = (parts: {
  readonly store: AccountStore
  readonly clock: Clock
  /** Told after each change that the door and the digest must notice. */
  readonly onChange: () => void
}) => {
  const { store, clock, onChange } = parts

  const changed = <Value>(result: Result<Value, Failure>): Result<Value, Failure> => {
    if (result.ok) onChange()
    return result
  }

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

    async create(
      organizationId: number,
      project: { name: string; slug?: string | undefined; platform: string; team?: string | undefined },
    ): Promise<Result<Project, Failure>> {
      return changed(
        await atomically(store, async (store) => {
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
            now: clock.now(),
          })
          if (team !== null) await store.addTeamProject(team.id, projectId)
          const created = await store.project(organizationId, String(projectId))
          return created === null ? err(NO_PROJECT) : ok(created)
        }),
      )
    },

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

    async createKey(
      project: Project,
      key: { label?: string | undefined; rateLimit?: RateLimit | null | undefined },
    ): Promise<Result<ProjectKey, Failure>> {
      return changed(
        await atomically(store, async (store) => {
          if ((await store.countKeys(project.id)) >= LIMITS.KEYS_PER_PROJECT) {
            return err(failure('conflict', `A project has at most ${LIMITS.KEYS_PER_PROJECT} keys. Delete some first.`))
          }
          const publicKey = makePublicKey()
          await store.insertKey({
            projectId: project.id,
            publicKey,
            label: key.label ?? 'Key',
            rateLimit: key.rateLimit ?? null,
            now: clock.now(),
          })
          const created = await store.key(project.id, publicKey)
          return created === null ? err(NO_KEY) : ok(created)
        }),
      )
    },

    async updateKey(
      project: Project,
      publicKey: string,
      change: { label?: string | undefined; active?: boolean | undefined; rateLimit?: RateLimit | null | undefined },
    ): Promise<Result<ProjectKey, Failure>> {
      return changed(
        await atomically(store, async (store) => {
          const key = await store.key(project.id, publicKey)
          if (key === null) return err(NO_KEY)
          await store.updateKey(key.id, change)
          return ok((await store.key(project.id, publicKey)) ?? key)
        }),
      )
    },

    async removeKey(project: Project, publicKey: string): Promise<Result<null, Failure>> {
      return changed(
        await atomically(store, async (store) => {
          const key = await store.key(project.id, publicKey)
          if (key === null) return err(NO_KEY)
          await store.removeKey(key.id)
          return ok(null)
        }),
      )
    },
  }
}
