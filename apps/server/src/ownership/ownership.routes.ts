import { getProjectOwnership, updateProjectOwnership } from '@firsthand/contract'
import { badRequest, bind, type Route } from '../http/index.ts'
import { createCodeownersRoutes } from './codeowners.routes.ts'
import type { Ownership } from './ledger/ownership-store.ts'
import { ownershipJson } from './ownership-json.ts'
import { findProject, type OwnershipRouteParts } from './route-parts.ts'
import { createTesterRoutes } from './tester.routes.ts'

/** Whose what is in a project. */
export const createOwnershipRoutes = (parts: OwnershipRouteParts): Route[] => [
  ...createRulesRoutes(parts),
  ...createCodeownersRoutes(parts),
  ...createTesterRoutes(parts),
]

const createRulesRoutes = (parts: OwnershipRouteParts): Route[] => {
  const { clock, store, understand } = parts
  const toJson = async (organizationId: number, ownership: Ownership) =>
    ownershipJson(ownership, await understand(organizationId, ownership))
  /** @throws HttpError 400 for rules that would not hold as they are written */
  const refuseProblems = async (organizationId: number, rules: string): Promise<void> => {
    const { problems } = await understand(organizationId, { rules, codeowners: null })
    const [first] = problems
    if (first === undefined) return
    const sentence = `Nothing was saved, because line ${first.number} cannot be used. ${first.reason}`
    throw badRequest(sentence, { raw: sentence })
  }
  return [
    bind(getProjectOwnership, async ({ params, request }) => {
      const project = await findProject(parts, request.organization.id, params.project)
      return { body: await toJson(request.organization.id, await store.load(project.id)) }
    }),

    bind(updateProjectOwnership, async ({ body, params, request }) => {
      const organizationId = request.organization.id
      const project = await findProject(parts, organizationId, params.project)
      const before = await store.load(project.id)
      if (body.raw !== undefined) await refuseProblems(organizationId, body.raw ?? '')
      const wanted: Ownership = {
        ...before,
        rules: body.raw === undefined ? before.rules : (body.raw ?? ''),
        fallthrough: body.fallthrough ?? before.fallthrough,
        walk: body.walk ?? before.walk,
        autoAssignment:
          body.autoAssignment === undefined
            ? before.autoAssignment
            : body.autoAssignment === 'Auto Assign to Issue Owner',
      }
      return { body: await toJson(organizationId, await store.save(project.id, wanted, clock.now())) }
    }),
  ]
}
