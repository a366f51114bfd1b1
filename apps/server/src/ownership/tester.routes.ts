import { testOwnership } from '@firsthand/contract'
import { badRequest, bind, type Route } from '../http/index.ts'
import { LIMITS } from './limits.ts'
import { matchedEvent } from './matched-event.ts'
import { problemJson } from './ownership-json.ts'
import { findProject, type OwnershipRouteParts } from './route-parts.ts'
import { ownersBy } from './owners.ts'
import { exampleEvent, testJson } from './tester.ts'

/** Tries rules out, saved or not. */
export const createTesterRoutes = (parts: OwnershipRouteParts): Route[] => {
  const { events, issues, store, understand } = parts
  /** The event that is meant: of an issue the newest, or one by its id. */
  const eventAbout = async (organizationId: number, projectId: number, about: string) => {
    const reference = about.trim()
    const issueId = await issues.find(organizationId, reference)
    const [record] = issueId === null ? [] : await issues.records(organizationId, [issueId])
    if (record !== undefined && record.project.id === projectId) {
      const scope = { organizationId, projectIds: [projectId], issueIds: record.storedIds }
      const newest = await events.outermost({ ...scope, period: null, environments: [], filter: null }, 'latest', null)
      if (newest !== null) return { event: newest.event, issue: record.id, title: newest.title }
    }
    const [location] = await issues.locateEvent(organizationId, [projectId], reference)
    const stored =
      location === undefined
        ? null
        : await events.load({ organizationId, eventId: reference.replaceAll('-', '').toLowerCase(), ...location })
    if (stored === null) {
      const sentence = `No issue and no event of this project is called "${reference}".`
      throw badRequest(sentence, { about: sentence })
    }
    const standing = await issues.find(organizationId, String(stored.place.storedIssueId))
    return { event: stored.event, issue: standing ?? stored.place.storedIssueId, title: stored.title }
  }

  return [
    bind(testOwnership, async ({ body, params, request }) => {
      const organizationId = request.organization.id
      const project = await findProject(parts, organizationId, params.project)
      const saved = await store.load(project.id)
      const { known, problems, read } = await understand(organizationId, { ...saved, rules: body.raw ?? saved.rules })
      const found = body.about === undefined ? null : await eventAbout(organizationId, project.id, body.about)
      const event = found === null ? exampleEvent(body.example ?? {}) : matchedEvent(found.event)
      const owners = await ownersBy(read, known, event, {
        walk: body.walk ?? saved.walk,
        losers: LIMITS.OWNERSHIP_LOSERS_SHOWN,
      })
      return {
        body: {
          ...testJson(event, owners),
          event: found === null ? null : { id: found.event.event_id, issue: String(found.issue), title: found.title },
          problems: problems.slice(0, LIMITS.OWNERSHIP_PROBLEMS_SHOWN).map(problemJson),
        },
      }
    }),
  ]
}
