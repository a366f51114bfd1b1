import {
  createAlert,
  deleteAlert,
  duplicateAlert,
  enableAlert,
  getAlert,
  listAlerts,
  muteAlert,
  restoreAlert,
  unmuteAlert,
  updateAlert,
  type AlertRule as AlertRuleJson,
} from '@firsthand/contract'
import {
  badRequest,
  bind,
  conflict,
  notFound,
  readPage,
  toPage,
  type Caller,
  type CallerOrganization,
  type Route,
} from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Ledger } from '../storage/index.ts'
import type { KnownRules } from './known-rules.ts'
import type { RuleActor, Rules } from './ledger/rules.ts'
import { LIMITS } from './limits.ts'
import { rulesJson, type MeasuredStates } from './rule-json.ts'
import { checkDraft, type MeasuredProblem } from './rule-request.ts'
import { concerns, type AlertRule } from './rule.ts'

const MINUTE_MS = 60_000

export interface AlertServices {
  readonly ledger: Ledger
  readonly rules: Rules
  readonly known: KnownRules
  readonly clock: Clock
  readonly resolveProjects: (organizationId: number, references: readonly string[]) => Promise<readonly number[] | null>
  readonly measuredProblem: MeasuredProblem
  readonly measuredStates: MeasuredStates
}

export interface AlertRequest {
  readonly caller: Caller
  readonly organization: CallerOrganization
}

export const actorOf = ({ caller, organization }: AlertRequest, now: number): RuleActor => ({
  organizationId: organization.id,
  userId: caller.user.id,
  now,
})

/** Ids in addresses are numbers. */
export const ruleIdOf = (reference: string): number => {
  if (!/^\d{1,15}$/.test(reference)) throw notFound()
  return Number(reference)
}

/** @throws HttpError 404 also for rules of other organisations */
export const findRule = async (
  { rules }: Pick<AlertServices, 'rules'>,
  { organization }: AlertRequest,
  reference: string,
): Promise<AlertRule> => {
  const rule = await rules.find(organization.id, ruleIdOf(reference))
  if (rule === null) throw notFound()
  return rule
}

/** Projects that a request names; null for all. @throws HttpError 404 when one is not there */
export const projectsOf = async (
  { resolveProjects }: Pick<AlertServices, 'resolveProjects'>,
  { organization }: AlertRequest,
  references: readonly string[] = [],
): Promise<readonly number[] | null> => {
  const named = references.filter((reference) => reference !== '-1')
  if (named.length === 0) return null
  const ids = await resolveProjects(organization.id, named)
  if (ids === null) throw notFound('One of the projects does not exist.')
  return ids
}

const FIRST: Readonly<Record<AlertRuleJson['state'], number>> = {
  firing: 0,
  flapping: 0,
  recovering: 1,
  pending: 1,
  unknown: 2,
  learning: 3,
  ok: 3,
}

/** Of a name that is taken, the next one. */
const copyName = (name: string, taken: ReadonlySet<string>): string => {
  for (let number = 2; ; number += 1) {
    const suffix = ` (${number})`
    const copy = `${name.replace(/ \(\d+\)$/, '').slice(0, 128 - suffix.length)}${suffix}`
    if (!taken.has(copy)) return copy
  }
}

/** Rules: lists of them, and what people change. */
export const createAlertRoutes = (services: AlertServices): Route[] => {
  const { clock, known, ledger, rules } = services

  const many = async (organizationId: number, found: readonly AlertRule[]): Promise<AlertRuleJson[]> =>
    rulesJson(
      { ledger, known: await known.of(organizationId), measuredStates: services.measuredStates, now: clock.now() },
      organizationId,
      found,
    )

  const one = async (rule: AlertRule | null): Promise<AlertRuleJson> => {
    const [json] = rule === null ? [] : await many(rule.organizationId, [rule])
    if (json === undefined) throw notFound()
    return json
  }

  const orFull = (rule: AlertRule | 'full' | null): AlertRule => {
    if (rule === null || rule === 'full')
      throw conflict(`An organisation has at most ${LIMITS.ALERT_RULES} alerts. Delete some first.`)
    return rule
  }

  return [
    bind(listAlerts, async ({ query, request }) => {
      const projects = await projectsOf(services, request, query.project)
      const words = (query.query ?? '').trim().toLowerCase()
      const all = await rules.list(request.organization.id, clock.now())
      const wanted = all.filter(
        (rule) =>
          (projects === null || projects.some((id) => concerns(rule, id))) &&
          (rule.draft.name.toLowerCase().includes(words) || rule.draft.query.toLowerCase().includes(words)),
      )
      const json = await many(request.organization.id, wanted)
      const sorted = json.toSorted((left, right) => FIRST[left.state] - FIRST[right.state])
      const asked = readPage(query)
      const { rows, page } = toPage(sorted.slice(asked.offset, asked.offset + asked.limit + 1), asked)
      return { body: rows, page, hits: sorted.length }
    }),

    bind(createAlert, async ({ body, request }) => {
      const draft = await checkDraft(services, request.organization, body)
      return { body: await one(orFull(await rules.add(actorOf(request, clock.now()), draft))), status: 201 }
    }),

    bind(getAlert, async ({ params, request }) => ({
      body: await one(await findRule(services, request, params.alert)),
    })),

    bind(updateAlert, async ({ params, body, request }) => {
      const before = await findRule(services, request, params.alert)
      const { version, ...asked } = body
      const draft = await checkDraft(services, request.organization, asked)
      if (draft.trigger.source !== before.draft.trigger.source) {
        throw badRequest('What a rule is about stays: make a new one to watch something else.', {
          trigger: 'A rule about something that happened does not become one about how much.',
        })
      }
      const changed = await rules.change(actorOf(request, clock.now()), before.id, draft, { version, imported: null })
      if (changed === 'other') {
        throw conflict('Somebody else changed this alert meanwhile. Look at it again, and change it then.')
      }
      return { body: await one(changed) }
    }),

    bind(enableAlert, async ({ params, body, request }) => ({
      body: await one(await rules.enable(actorOf(request, clock.now()), ruleIdOf(params.alert), body.isEnabled)),
    })),

    bind(deleteAlert, async ({ params, request }) => {
      if (!(await rules.remove(actorOf(request, clock.now()), ruleIdOf(params.alert)))) throw notFound()
      return { body: null }
    }),

    bind(restoreAlert, async ({ params, request }) => {
      const restored = await rules.restore(actorOf(request, clock.now()), ruleIdOf(params.alert))
      return { body: await one(restored === null ? null : orFull(restored)) }
    }),

    bind(muteAlert, async ({ params, body, request }) => {
      const now = clock.now()
      const until = body.minutes === null ? Infinity : now + body.minutes * MINUTE_MS
      return { body: await one(await rules.mute(actorOf(request, now), ruleIdOf(params.alert), until)) }
    }),

    bind(unmuteAlert, async ({ params, request }) => ({
      body: await one(await rules.mute(actorOf(request, clock.now()), ruleIdOf(params.alert), null)),
    })),

    bind(duplicateAlert, async ({ params, request }) => {
      const now = clock.now()
      const { draft } = await findRule(services, request, params.alert)
      const names = new Set((await rules.list(request.organization.id, now)).map((rule) => rule.draft.name))
      const copy = { ...draft, name: copyName(draft.name, names), isEnabled: false }
      return { body: await one(orFull(await rules.add(actorOf(request, now), copy))), status: 201 }
    }),
  ]
}
