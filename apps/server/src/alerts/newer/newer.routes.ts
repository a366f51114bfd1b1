import { getDetector, getWorkflow, listDetectors, listWorkflows, type DetectorJson } from '@firsthand/contract'
import { bind, notFound, type Route } from '../../http/index.ts'
import { findRule, projectsOf, ruleIdOf, type AlertRequest, type AlertServices } from '../alerts.routes.ts'
import { readNames } from '../ledger/names.ts'
import { readOlderNames } from '../older/names.ts'
import { concerns, type AlertRule } from '../rule.ts'
import { byIds, bySearch, inOrder, refuseUnknown } from './choose.ts'
import { detectorJson, isTold } from './detector-json.ts'
import { openIncidentsOf } from './open-incidents.ts'
import { pageOf } from './page.ts'
import { projectDetectors, readDetectingProjects } from './project-detectors.ts'
import { workflowJson, type WorkflowNames } from './workflow-json.ts'

export const createNewerViews = ({ clock, ledger, rules }: AlertServices) => {
  const all = ({ organization }: AlertRequest): Promise<readonly AlertRule[]> =>
    rules.list(organization.id, clock.now())

  const names = async ({ organization: { id } }: AlertRequest): Promise<WorkflowNames> => {
    const [older, searched] = await Promise.all([readOlderNames(ledger, id), readNames(ledger.db, id)])
    return { ...older, ...searched }
  }

  return {
    all,
    names,

    detectors: async (request: AlertRequest): Promise<DetectorJson[]> => {
      const { id } = request.organization
      const [found, open, projects] = await Promise.all([
        all(request),
        openIncidentsOf(ledger, id),
        readDetectingProjects(ledger, id),
      ])
      return [
        ...found.flatMap((rule) => detectorJson(rule, open.get(rule.id) ?? 0) ?? []),
        ...projectDetectors(projects, found),
      ]
    },

    workflow: async (request: AlertRequest) => {
      const [known, projects] = await Promise.all([
        names(request),
        readDetectingProjects(ledger, request.organization.id),
      ])
      return (rule: AlertRule) =>
        workflowJson(
          rule,
          known,
          projects.map(({ id }) => id),
        )
    },
  }
}

/** Alerts as Sentry shows them since May 2026: what finds something, and who is told of it. */
export const createNewerAlertRoutes = (services: AlertServices): Route[] => {
  const views = createNewerViews(services)

  /** Whom an owner is called by, in a search of detectors. */
  const callNames = async (request: AlertRequest) => {
    const { teams, users } = await views.names(request)
    const called = new Map<string, string[]>([
      ...[...teams].map(([slug, id]) => [`team:${id}`, [`#${slug}`]] as [string, string[]]),
      ...[...users].map(([email, id]) => [`user:${id}`, [email]] as [string, string[]]),
    ])
    const me = `user:${request.caller.user.id}`
    called.set(me, [...(called.get(me) ?? []), 'me'])
    return ({ owner }: DetectorJson): readonly string[] =>
      owner === null ? ['none'] : (called.get(`${owner.type}:${owner.id}`) ?? [])
  }

  return [
    bind(listDetectors, async ({ query, request }) => {
      refuseUnknown(request.url, listDetectors.query.shape)
      const projects = await projectsOf(services, request, query.project)
      const isFound = bySearch<DetectorJson>(query.query, {
        name: ({ name }) => [name],
        type: ({ type }) => [type],
        assignee: await callNames(request),
        workflow: ({ workflowIds }) => workflowIds,
      })
      const hasId = byIds(query.id)
      const concerned = (await views.all(request)).filter((rule) => projects?.some((id) => concerns(rule, id)) ?? true)
      const ofRules = new Set(concerned.map(({ id }) => String(id)))
      const rows = (await views.detectors(request)).filter(
        (one) =>
          hasId(one.id) &&
          (projects === null || ofRules.has(one.id) || projects.includes(Number(one.projectId))) &&
          (query.type === undefined || query.type.includes(one.type)) &&
          (query.enabled === undefined || query.enabled === one.enabled) &&
          isFound(one),
      )
      const sorted = inOrder(rows, query.sortBy, {
        id: ({ id }) => Number(id),
        name: ({ name }) => name.toLowerCase(),
        type: ({ type }) => type,
        connectedWorkflows: ({ workflowIds }) => workflowIds.length,
        // None of them has one.
        latestGroup: () => 0,
        openIssues: ({ openIssues = 0 }) => openIssues,
      })
      return pageOf(sorted, query)
    }),

    bind(getDetector, async ({ params, request }) => {
      const id = String(ruleIdOf(params.alert))
      const found = (await views.detectors(request)).find((one) => one.id === id)
      if (found === undefined) throw notFound()
      return { body: found }
    }),

    bind(listWorkflows, async ({ query, request }) => {
      refuseUnknown(request.url, listWorkflows.query.shape)
      const projects = await projectsOf(services, request, query.project)
      const [found, show] = await Promise.all([views.all(request), views.workflow(request)])
      const isFound = bySearch<ReturnType<typeof show>>(query.query, {
        name: ({ name }) => [name],
        action: ({ actionFilters }) => actionFilters.flatMap(({ actions }) => actions.map(({ type }) => type)),
      })
      const [hasId, hasDetector] = [byIds(query.id), byIds(query.detector)]
      const rows = found
        .filter((rule) => isTold(rule) && (projects === null || projects.some((id) => concerns(rule, id))))
        .map(show)
        .filter((one) => hasId(one.id) && one.detectorIds.some(hasDetector) && isFound(one))
      const sorted = inOrder(rows, query.sortBy, {
        id: ({ id }) => Number(id),
        name: ({ name }) => name.toLowerCase(),
        dateCreated: ({ dateCreated }) => dateCreated,
        dateUpdated: ({ dateUpdated }) => dateUpdated,
        lastTriggered: ({ lastTriggered }) => lastTriggered ?? '',
        connectedDetectors: ({ detectorIds }) => detectorIds.length,
        actions: ({ actionFilters }) => actionFilters.reduce((sum, { actions }) => sum + actions.length, 0),
        // Those of the detectors that are asked for come first anyway: no others are there.
        priorityDetector: () => 0,
      })
      return pageOf(sorted, query)
    }),

    bind(getWorkflow, async ({ params, request }) => {
      const rule = await findRule(services, request, params.alert)
      if (!isTold(rule)) throw notFound()
      return { body: (await views.workflow(request))(rule) }
    }),
  ]
}
