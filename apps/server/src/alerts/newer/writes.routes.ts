import {
  createDetector,
  createWorkflow,
  deleteDetector,
  deleteWorkflow,
  updateDetector,
  updateWorkflow,
  type AlertDraft,
  type DetectorBody,
  type DetectorJson,
  type WorkflowBody,
  type WorkflowJson,
} from '@firsthand/contract'
import { badRequest, bind, conflict, notFound, type Route } from '../../http/index.ts'
import { actorOf, findRule, projectsOf, ruleIdOf, type AlertRequest, type AlertServices } from '../alerts.routes.ts'
import { checkEnvironments } from '../known-environments.ts'
import { LIMITS } from '../limits.ts'
import { draftOf } from '../older/from-sentry.ts'
import { readOlderNames } from '../older/names.ts'
import { checkDraft } from '../rule-request.ts'
import type { AlertRule } from '../rule.ts'
import { readKnownNames } from '../sentry/names.ts'
import { detectorJson, isTold } from './detector-json.ts'
import { createNewerViews } from './newer.routes.ts'
import { openIncidentsOf } from './open-incidents.ts'
import { readDetectingProjects, readProjectDetector } from './project-detectors.ts'
import { readDetector } from './read-detector.ts'
import { readWorkflow, type SentWorkflow } from './read-workflow.ts'

/** Alerts as Sentry's clients write them since May 2026. */

const createWriting = (services: AlertServices) => {
  const { clock, ledger, rules } = services

  const checked = async (request: AlertRequest, draft: AlertDraft, before: AlertRule | null): Promise<AlertDraft> => {
    await checkEnvironments(ledger, request.organization.id, draft, before?.draft)
    return checkDraft(services, request.organization, draft)
  }

  return {
    checked,

    add: async (request: AlertRequest, draft: AlertDraft): Promise<AlertRule> => {
      const rule = await rules.add(actorOf(request, clock.now()), await checked(request, draft, null))
      if (rule === null) throw conflict(`An organisation has at most ${LIMITS.ALERT_RULES} alerts. Delete some first.`)
      return rule
    },

    change: async (request: AlertRequest, rule: AlertRule, draft: AlertDraft): Promise<AlertRule> => {
      const change = { version: rule.version, imported: null }
      const next = await checked(request, draft, rule)
      const changed = await rules.change(actorOf(request, clock.now()), rule.id, next, change)
      if (changed === null) throw notFound()
      if (changed === 'other')
        throw conflict('Somebody else changed this alert meanwhile. Look at it again, and change it then.')
      return changed
    },

    remove: async (request: AlertRequest, rule: AlertRule): Promise<void> => {
      if (!(await rules.remove(actorOf(request, clock.now()), rule.id))) throw notFound()
    },
  }
}

const createDetectorWrites = (services: AlertServices): Route[] => {
  const { ledger } = services
  const writing = createWriting(services)

  const shown = async (rule: AlertRule): Promise<DetectorJson> => {
    const open = await openIncidentsOf(ledger, rule.organizationId)
    const json = detectorJson(rule, open.get(rule.id) ?? 0)
    if (json === null) throw notFound()
    return json
  }

  const found = async (request: AlertRequest, reference: string): Promise<AlertRule> => {
    if (readProjectDetector(ruleIdOf(reference)) !== null) {
      throw badRequest('This monitor is what a project finds by itself: it is neither changed nor deleted.')
    }
    const rule = await findRule(services, request, reference)
    if (rule.draft.trigger.source === 'happened') throw notFound()
    return rule
  }

  const read = async (
    request: AlertRequest,
    body: DetectorBody,
    project: string,
    before: AlertRule | null,
  ): Promise<AlertDraft> => {
    const json = before === null ? null : await shown(before)
    const asked = readDetector(body, json, project)
    if (!asked.ok) throw badRequest(asked.error)
    const draft = draftOf(asked.value, await readOlderNames(ledger, request.organization.id), before?.draft ?? null)
    if (!draft.ok) throw badRequest(draft.error)
    if (body.workflowIds?.some((id) => json?.workflowIds.includes(id) !== true) === true) {
      throw badRequest('workflowIds: whom a monitor tells is said at workflows/, with its id in "detectorIds".')
    }
    const isForgotten = body.workflowIds?.length === 0
    return { ...draft.value, actions: isForgotten ? [] : [...(before?.draft.actions ?? [])] }
  }

  return [
    bind(createDetector, async ({ body, params, request }) => {
      await projectsOf(services, request, [params.project])
      const draft = await read(request, body, params.project, null)
      return { status: 201, body: await shown(await writing.add(request, draft)) }
    }),
    bind(updateDetector, async ({ body, params, request }) => {
      const rule = await found(request, params.alert)
      const [projectId, ...others] = rule.projectIds ?? []
      if (rule.draft.trigger.source !== 'measured' || projectId === undefined || others.length > 0) {
        throw badRequest('Sentry has no words for all that this monitor does. Change it at alerts/, or in the console.')
      }
      const draft = await read(request, body, String(projectId), rule)
      return { body: await shown(await writing.change(request, rule, draft)) }
    }),
    bind(deleteDetector, async ({ params, request }) => {
      await writing.remove(request, await found(request, params.alert))
      return { body: null }
    }),
  ]
}

const createWorkflowWrites = (services: AlertServices): Route[] => {
  const { ledger, rules } = services
  const writing = createWriting(services)
  const views = createNewerViews(services)

  /** @param shown what is left out of the body stays */
  const read = async (
    request: AlertRequest,
    body: WorkflowBody,
    shown: WorkflowJson | null,
    before: AlertRule | null,
  ): Promise<AlertDraft> => {
    const { id } = request.organization
    const [names, known] = await Promise.all([views.names(request), readKnownNames(ledger, id)])
    const detectorIds = body.detectorIds ?? shown?.detectorIds
    const triggers = body.triggers ?? shown?.triggers
    const actionFilters = body.actionFilters ?? shown?.actionFilters
    const name = body.name ?? shown?.name
    if (detectorIds === undefined || actionFilters === undefined || name === undefined || !triggers) {
      throw badRequest('An alert has a name, detectorIds, triggers and actionFilters.')
    }
    const sent: SentWorkflow = {
      name,
      detectorIds,
      triggers,
      actionFilters,
      enabled: body.enabled ?? shown?.enabled ?? true,
      environment: body.environment === undefined ? (shown?.environment ?? null) : body.environment || null,
      owner: body.owner === undefined ? (shown?.owner ?? null) : body.owner || null,
      config: body.config ?? shown?.config ?? { frequency: 30 },
    }
    const draft = readWorkflow(sent, before, { ...names, ...known })
    if (!draft.ok) throw badRequest(draft.error)
    return draft.value
  }

  /** The monitor of how much that a workflow is of; null of one that is told of what projects find. */
  const monitorOf = async (request: AlertRequest, { detectorIds = [] }: WorkflowBody): Promise<AlertRule | null> => {
    const [id, ...others] = detectorIds
    if (id === undefined) throw badRequest('detectorIds: it has the ids of what the alert is told of.')
    if (others.length > 0 || readProjectDetector(Number(id)) !== null) return null
    const rule = await rules.find(request.organization.id, Number(id))
    if (rule !== null && rule.draft.trigger.source !== 'happened') return rule
    throw badRequest(`detectorIds: there is no monitor ${id} in this organisation.`)
  }

  /** One that watches all projects goes on doing so, those that come later as well. */
  const withAllProjects = async (draft: AlertDraft, rule: AlertRule): Promise<AlertDraft> => {
    if (rule.projectIds !== null || draft.projects === null) return draft
    const all = await readDetectingProjects(ledger, rule.organizationId)
    const named = new Set(draft.projects)
    return all.every(({ id }) => named.has(String(id))) ? { ...draft, projects: null } : draft
  }

  return [
    bind(createWorkflow, async ({ body, request }) => {
      const monitor = await monitorOf(request, body)
      if (monitor !== null && isTold(monitor)) {
        throw conflict(`The monitor "${monitor.draft.name}" has its alert, ${monitor.id}. Change that.`)
      }
      if (monitor !== null && body.name !== monitor.draft.name) {
        throw badRequest(
          `name: the alert of a monitor of how much is called as the monitor is, "${monitor.draft.name}".`,
        )
      }
      const draft = await read(request, body, null, monitor)
      const rule = await (monitor === null ? writing.add(request, draft) : writing.change(request, monitor, draft))
      return { status: 201, body: (await views.workflow(request))(rule) }
    }),
    bind(updateWorkflow, async ({ body, params, request }) => {
      const rule = await findRule(services, request, params.alert)
      if (!isTold(rule)) throw notFound()
      const shown = (await views.workflow(request))(rule)
      const isMeasured = rule.draft.trigger.source !== 'happened'
      if (isMeasured && body.detectorIds?.some((id) => id !== String(rule.id)) === true) {
        throw badRequest('detectorIds: the alert of a monitor of how much stays with it. Delete it, and make another.')
      }
      const draft = await withAllProjects(await read(request, body, shown, rule), rule)
      return { body: (await views.workflow(request))(await writing.change(request, rule, draft)) }
    }),
    bind(deleteWorkflow, async ({ params, request }) => {
      const rule = await findRule(services, request, params.alert)
      if (!isTold(rule)) throw notFound()
      // What finds too much stays: it is another thing there.
      if (rule.draft.trigger.source === 'happened') await writing.remove(request, rule)
      else await writing.change(request, rule, { ...rule.draft, actions: [] })
      return { body: null }
    }),
  ]
}

export const createNewerAlertWrites = (services: AlertServices): Route[] => [
  ...createDetectorWrites(services),
  ...createWorkflowWrites(services),
]
