import {
  createAlertRule,
  deleteAlertRule,
  getAlertRule,
  listAlertRules,
  snoozeAlertRule,
  unsnoozeAlertRule,
  updateAlertRule,
  type AlertDraft,
  type AlertRuleDraft,
  type AlertRuleJson,
} from '@firsthand/contract'
import { badRequest, bind, conflict, notFound, readPage, toPage, type Route } from '../../http/index.ts'
import { actorOf, findRule, projectsOf, type AlertRequest, type AlertServices } from '../alerts.routes.ts'
import { checkEnvironments } from '../known-environments.ts'
import { LIMITS } from '../limits.ts'
import { checkDraft } from '../rule-request.ts'
import { concerns, type AlertRule } from '../rule.ts'
import { snooze } from '../sentry/snooze.ts'
import { draftOf } from './from-sentry.ts'
import { readOlderNames } from './names.ts'
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

  const read = async (
    { organization }: AlertRequest,
    body: AlertRuleDraft,
    before: AlertDraft | null,
  ): Promise<AlertDraft> => {
    const draft = draftOf(body, await readOlderNames(ledger, organization.id), before)
    if (!draft.ok) throw badRequest(draft.error)
    await checkEnvironments(ledger, organization.id, draft.value, before)
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

  const findInProject = async (
    request: AlertRequest,
    { alert, project }: { readonly alert: string; readonly project: string },
  ): Promise<AlertRule> => {
    const [projectId] = (await projectsOf(services, request, [project])) ?? []
    const rule = await findOlder(request, alert)
    if (projectId === undefined || !concerns(rule, projectId)) throw notFound()
    return rule
  }

  return [
    bind(listAlertRules, async ({ query, request }) => {
      const projects = await projectsOf(services, request, query.project)
      const [found, names] = await Promise.all([all(request), readOlderNames(ledger, request.organization.id)])
      const now = clock.now()
      const some = found
        .filter((rule) => projects === null || projects.some((id) => concerns(rule, id)))
        .flatMap((rule) => alertRuleJson(rule, names, now) ?? [])
      const asked = readPage(query)
      const { page, rows } = toPage(some.slice(asked.offset, asked.offset + asked.limit + 1), asked)
      return { body: rows, page, hits: some.length }
    }),
    bind(createAlertRule, async ({ body, request }) => {
      const draft = await read(request, body, null)
      const rule = await rules.add(actorOf(request, clock.now()), draft, JSON.stringify(body))
      if (rule === null) throw conflict(`An organisation has at most ${LIMITS.ALERT_RULES} alerts. Delete some first.`)
      return { status: 201, body: await jsonOf(rule) }
    }),
    bind(getAlertRule, async ({ params, request }) => ({
      body: await jsonOf(await findRule(services, request, params.alert)),
    })),
    bind(updateAlertRule, async ({ body, params, request }) => {
      const rule = await findOlder(request, params.alert)
      const draft = await read(request, body, rule.draft)
      const change = { version: null, imported: JSON.stringify(body) }
      const changed = await rules.change(actorOf(request, clock.now()), rule.id, draft, change)
      if (changed === 'other')
        throw conflict('Somebody else changed this alert meanwhile. Look at it again, and change it then.')
      return { body: await jsonOf(changed) }
    }),
    bind(deleteAlertRule, async ({ params, request }) => {
      const rule = await findOlder(request, params.alert)
      await rules.remove(actorOf(request, clock.now()), rule.id)
      return { body: null, status: 202 }
    }),
    bind(snoozeAlertRule, async ({ body, params, request }) => {
      const rule = await findInProject(request, params)
      return { body: await snooze(services, request, rule, body), status: 201 }
    }),
    bind(unsnoozeAlertRule, async ({ params, request }) => {
      const rule = await findInProject(request, params)
      await rules.mute(actorOf(request, clock.now()), rule.id, null)
      return { body: null }
    }),
  ]
}
