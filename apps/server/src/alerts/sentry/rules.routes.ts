import {
  createIssueAlertRule,
  deleteIssueAlertRule,
  getIssueAlertRule,
  listIssueAlertRules,
  snoozeIssueAlertRule,
  unsnoozeIssueAlertRule,
  updateIssueAlertRule,
  type AlertDraft,
  type IssueAlertRule,
  type IssueAlertRuleBody,
} from '@firsthand/contract'
import { HttpError, badRequest, bind, conflict, notFound, readPage, toPage, type Route } from '../../http/index.ts'
import { actorOf, findRule, type AlertRequest, type AlertServices } from '../alerts.routes.ts'
import { readActors } from '../ledger/rule-facts.ts'
import { LIMITS } from '../limits.ts'
import { checkDraft } from '../rule-request.ts'
import { concerns, type AlertRule } from '../rule.ts'
import { readKnownNames } from './names.ts'
import { readSentryRule } from './read-rule.ts'
import { snooze } from './snooze.ts'
import { checkEnvironments } from '../known-environments.ts'
import { issueAlertRuleJson, unsaidOf, type Written } from './write-rule.ts'

/** What of a rule is kept as it was written. */
const keptOf = (body: IssueAlertRuleBody, query: string): string => {
  const { actionMatch, actions, conditions, filterMatch, filters } = body
  const written: Written = { actionMatch, conditions, filterMatch, filters, actions, query: body.query ?? query }
  const kept = JSON.stringify(written)
  if (Buffer.byteLength(kept) > LIMITS.ALERT_RULE_BYTES) {
    throw badRequest(`An alert can have at most ${LIMITS.ALERT_RULE_BYTES} bytes.`)
  }
  return kept
}

/** Sentry has such a list at the address of a rule. */
const NO_LIST_OF_PARTS =
  'Firsthand does not have this yet: a list of conditions, filters and actions of rules. What of a rule is not understood is refused with a sentence.'

const sameAs = (draft: AlertDraft): string => JSON.stringify({ ...draft, name: '' })

/** Alerts at the older address of Sentry, for scripts that write and read them there. */
// long: seven routes, each a few lines
export const createSentryRuleRoutes = (services: AlertServices): Route[] => {
  const { clock, ledger, rules } = services

  const projectOf = async (request: AlertRequest, reference: string): Promise<number> => {
    const [id] = (await services.resolveProjects(request.organization.id, [reference])) ?? []
    if (id === undefined) throw notFound()
    return id
  }

  const ofProject = async (request: AlertRequest, projectId: number): Promise<readonly AlertRule[]> => {
    const all = await rules.list(request.organization.id, clock.now())
    return all.filter((rule) => rule.draft.trigger.source === 'happened' && concerns(rule, projectId))
  }

  const found = async (request: AlertRequest, project: string, reference: string) => {
    const projectId = await projectOf(request, project)
    const rule = await findRule(services, request, reference)
    if (!concerns(rule, projectId)) throw notFound()
    return { projectId, rule }
  }

  const json = async (
    request: AlertRequest,
    project: string,
    some: readonly AlertRule[],
  ): Promise<IssueAlertRule[]> => {
    const people = await readActors(
      ledger,
      request.organization.id,
      some.flatMap(({ createdBy }) => (createdBy === null ? [] : [`user:${createdBy}`])),
    )
    return some.map((rule) => {
      const maker = people.get(`user:${rule.createdBy}`)
      return issueAlertRuleJson(rule, {
        projects: [project],
        createdBy: maker === undefined ? null : { id: Number(maker.id), name: maker.name, email: maker.email ?? '' },
        now: clock.now(),
      })
    })
  }

  const one = async (request: AlertRequest, project: string, rule: AlertRule | null): Promise<IssueAlertRule> => {
    const [body] = rule === null ? [] : await json(request, project, [rule])
    if (body === undefined) throw notFound()
    return body
  }

  const read = async (
    request: AlertRequest,
    projectId: number,
    body: IssueAlertRuleBody,
    before: AlertRule | null,
  ): Promise<{ readonly draft: AlertDraft; readonly imported: string }> => {
    const { id } = request.organization
    const unsaid = before === null ? undefined : unsaidOf(before)
    const draft = readSentryRule(body, projectId, await readKnownNames(ledger, id), unsaid)
    if (!draft.ok) throw badRequest(draft.error)
    await checkEnvironments(ledger, id, draft.value, before?.draft)
    return {
      draft: await checkDraft(services, request.organization, draft.value),
      imported: keptOf(body, unsaid?.query ?? ''),
    }
  }

  return [
    bind(listIssueAlertRules, async ({ params, query, request }) => {
      const some = await ofProject(request, await projectOf(request, params.project))
      const asked = readPage(query)
      const { rows, page } = toPage(some.slice(asked.offset, asked.offset + asked.limit + 1), asked)
      return { body: await json(request, params.project, rows), page }
    }),

    bind(createIssueAlertRule, async ({ params, body, request }) => {
      const projectId = await projectOf(request, params.project)
      const { draft, imported } = await read(request, projectId, body, null)
      const same = (await ofProject(request, projectId)).find((rule) => sameAs(rule.draft) === sameAs(draft))
      if (same !== undefined) {
        throw badRequest(
          `This rule is an exact duplicate of '${same.draft.name}' in this project and may not be created.`,
        )
      }
      const rule = await rules.add(actorOf(request, clock.now()), draft, imported)
      if (rule === null) throw conflict(`An organisation has at most ${LIMITS.ALERT_RULES} alerts. Delete some first.`)
      return { body: await one(request, params.project, rule), status: 201 }
    }),

    bind(getIssueAlertRule, async ({ params, request }) => {
      if (params.alert === 'configuration') throw new HttpError(501, NO_LIST_OF_PARTS)
      const { rule } = await found(request, params.project, params.alert)
      return { body: await one(request, params.project, rule) }
    }),

    bind(updateIssueAlertRule, async ({ params, body, request }) => {
      const { projectId, rule } = await found(request, params.project, params.alert)
      const { draft, imported } = await read(request, projectId, body, rule)
      // One that watches more projects goes on doing so.
      const projects = rule.draft.projects
      const change = { version: null, imported }
      const changed = await rules.change(actorOf(request, clock.now()), rule.id, { ...draft, projects }, change)
      return { body: await one(request, params.project, changed === 'other' ? null : changed) }
    }),

    bind(deleteIssueAlertRule, async ({ params, request }) => {
      const { rule } = await found(request, params.project, params.alert)
      if (!(await rules.remove(actorOf(request, clock.now()), rule.id))) throw notFound()
      return { body: null, status: 202 }
    }),

    bind(snoozeIssueAlertRule, async ({ params, body, request }) => {
      const { rule } = await found(request, params.project, params.alert)
      return { body: await snooze(services, request, rule, body), status: 201 }
    }),

    bind(unsnoozeIssueAlertRule, async ({ params, request }) => {
      const { rule } = await found(request, params.project, params.alert)
      await rules.mute(actorOf(request, clock.now()), rule.id, null)
      return { body: null }
    }),
  ]
}
