import { getDetector, getWorkflow, listDetectors, listWorkflows } from '@firsthand/contract'
import { bind, type Route } from '../../http/index.ts'
import { findRule, type AlertRequest, type AlertServices } from '../alerts.routes.ts'
import type { AlertRule } from '../rule.ts'
import { readOlderNames } from './names.ts'
import { detectorJson, workflowJson } from './newer-shapes.ts'
import { openIncidentsOf } from './open-incidents.ts'

/** Alerts as Sentry shows them since May 2026: what finds something, and who is told of it. */
export const createNewerAlertRoutes = (services: AlertServices): Route[] => {
  const { clock, ledger, rules } = services

  const all = ({ organization }: AlertRequest): Promise<readonly AlertRule[]> =>
    rules.list(organization.id, clock.now())

  return [
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
