import { createCodeowners, deleteCodeowners, listCodeowners, updateCodeowners } from '@firsthand/contract'
import { bind, conflict, notFound, type Route } from '../http/index.ts'
import type { Codeowners, Ownership } from './ledger/ownership-store.ts'
import { codeownersJson } from './ownership-json.ts'
import { findProject, type OwnershipRouteParts } from './route-parts.ts'

/** The CODEOWNERS file of a project. There is one or none, and its id is the project’s. */
export const createCodeownersRoutes = (parts: OwnershipRouteParts): Route[] => {
  const { clock, store, understand } = parts
  const toJson = async (organizationId: number, projectId: number, ownership: Ownership, file: Codeowners) =>
    codeownersJson(projectId, file, await understand(organizationId, ownership))
  const fileOf = async (organizationId: number, reference: string, id: string) => {
    const project = await findProject(parts, organizationId, reference)
    const ownership = await store.load(project.id)
    if (ownership.codeowners === null || id !== String(project.id)) throw notFound()
    return { project, ownership, file: ownership.codeowners }
  }
  return [
    bind(listCodeowners, async ({ params, request }) => {
      const project = await findProject(parts, request.organization.id, params.project)
      const ownership = await store.load(project.id)
      const file = ownership.codeowners
      return { body: file === null ? [] : [await toJson(request.organization.id, project.id, ownership, file)] }
    }),

    bind(createCodeowners, async ({ body, params, request }) => {
      const project = await findProject(parts, request.organization.id, params.project)
      const before = await store.load(project.id)
      if (before.codeowners !== null)
        throw conflict('This project has a CODEOWNERS file already. Change it, or remove it first.')
      const now = clock.now()
      const file = { raw: body.raw, names: lowerCased(body.names ?? {}), createdAt: now, changedAt: now }
      const saved = await store.save(project.id, { ...before, codeowners: file }, now)
      return { body: await toJson(request.organization.id, project.id, saved, file), status: 201 }
    }),

    bind(updateCodeowners, async ({ body, params, request }) => {
      const { file, ownership, project } = await fileOf(request.organization.id, params.project, params.file)
      const now = clock.now()
      const changed = {
        ...file,
        raw: body.raw ?? file.raw,
        names: body.names === undefined ? file.names : lowerCased(body.names),
        changedAt: now,
      }
      const saved = await store.save(project.id, { ...ownership, codeowners: changed }, now)
      return { body: await toJson(request.organization.id, project.id, saved, changed) }
    }),

    bind(deleteCodeowners, async ({ params, request }) => {
      const { ownership, project } = await fileOf(request.organization.id, params.project, params.file)
      await store.save(project.id, { ...ownership, codeowners: null }, clock.now())
      return { body: null }
    }),
  ]
}

/** Names in the file are compared as they are read. */
const lowerCased = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([name, meant]) => [name.toLowerCase(), meant.toLowerCase()]))
