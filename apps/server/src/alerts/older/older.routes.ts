import {
  createAlertRule,
  deleteAlertRule,
  getAlertRule,
  getDetector,
  getWorkflow,
  listAlertRules,
  listDetectors,
  listWorkflows,
  updateAlertRule,
  type AlertDraft,
  type AlertRuleDraft,
  type AlertRuleJson,
} from '@firsthand/contract'
import { badRequest, bind, conflict, notFound, type Route } from '../../http/index.ts'
import { actorOf, findRule, type AlertRequest, type AlertServices } from '../alerts.routes.ts'
import { LIMITS } from '../limits.ts'
import { checkDraft } from '../rule-request.ts'
import type { AlertRule } from '../rule.ts'
import { draftOf } from './from-sentry.ts'
import { readOlderNames } from './names.ts'
import { detectorJson, workflowJson } from './newer-shapes.ts'
import { openIncidentsOf } from './open-incidents.ts'
import { alertRuleJson } from './to-sentry.ts'

/** Alerts at the addresses at which scripts of Sentry's know them. */
export const createOlderAlertRoutes = (services: AlertServices): Route[] => {
  const { clock, ledger, rules } = services

  const jsonOf = async (rule: AlertRule | null): Promise<AlertRuleJson> => {
    if (rule === null) throw notFound()
    const json = alertRuleJson(rule, await readOlderNames(ledger, rule.organizationId), clock.now())
    if (json === null) throw notFound()
    return json
  }

  const read = async ({ organization }: AlertRequest, body: AlertRuleDraft): Promise<AlertDraft> => {
    const draft = draftOf(body, await readOlderNames(ledger, organization.id))
    if (!draft.ok) throw badRequest(draft.error)
    return checkDraft(services, organization, draft.value)
  }

  const all = ({ organization }: AlertRequest): Promise<readonly AlertRule[]> =>
    rules.list(organization.id, clock.now())

  /** Only such a rule is changed at this address: another one would lose what it has no words for. */
  const findOlder = async (request: AlertRequest, reference: string): Promise<AlertRule> => {
    const rule = await findRule(services, request, reference)
    await jsonOf(rule)
    return rule
  }

  return [
    bind(listAlertRules, async ({ request }) => {
      const [found, names] = await Promise.all([all(request), readOlderNames(ledger, request.organization.id)])
      const now = clock.now()
      return { body: found.flatMap((rule) => alertRuleJson(rule, names, now) ?? []) }
    }),
    bind(createAlertRule, async ({ body, request }) => {
      const draft = await read(request, body)
      const rule = await rules.add(actorOf(request, clock.now()), draft, JSON.stringify(body))
      if (rule === null) throw conflict(`An organisation has at most ${LIMITS.ALERT_RULES} alerts. Delete some first.`)
      return { status: 201, body: await jsonOf(rule) }
    }),
    bind(getAlertRule, async ({ params, request }) => ({
      body: await jsonOf(await findRule(services, request, params.alert)),
    })),
    bind(updateAlertRule, async ({ body, params, request }) => {
      const rule = await findOlder(request, params.alert)
      const draft = await read(request, body)
      const isEnabled = body['status'] === 4 ? false : body['status'] === 0 ? true : rule.draft.isEnabled
      const changed = await rules.change(
        actorOf(request, clock.now()),
        rule.id,
        { ...draft, isEnabled },
        {
          version: null,
          imported: JSON.stringify(body),
        },
      )
      if (changed === 'other')
        throw conflict('Somebody else changed this alert meanwhile. Look at it again, and change it then.')
      return { body: await jsonOf(changed) }
    }),
    bind(deleteAlertRule, async ({ params, request }) => {
      const rule = await findOlder(request, params.alert)
      await rules.remove(actorOf(request, clock.now()), rule.id)
      return { body: null }
    }),
    bind(listDetectors, async ({ request }) => {
      const [found, open] = await Promise.all([all(request), openIncidentsOf(ledger, request.organization.id)])
      return { body: found.map((rule) => detectorJson(rule, open.get(rule.id) ?? 0)) }
    }),
    bind(getDetector, async ({ params, request }) => {
      const rule = await findRule(services, request, params.alert)
      const open = await openIncidentsOf(ledger, request.organization.id)
      return { body: detectorJson(rule, open.get(rule.id) ?? 0) }
    }),
    bind(listWorkflows, async ({ request }) => {
      const [found, names] = await Promise.all([all(request), readOlderNames(ledger, request.organization.id)])
      return { body: found.map((rule) => workflowJson(rule, names)) }
    }),
    bind(getWorkflow, async ({ params, request }) => {
      const rule = await findRule(services, request, params.alert)
      return { body: workflowJson(rule, await readOlderNames(ledger, request.organization.id)) }
    }),
  ]
}
