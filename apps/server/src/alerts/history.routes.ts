import {
  listAlertEvaluations,
  listAlertIncidents,
  listIssueAlerts,
  type AlertDelivery,
  type AlertEvaluation,
} from '@firsthand/contract'
import { factsOfIssue } from '../facts/index.ts'
import { bind, notFound, orBadRequest, readMomentPage, toMomentPage, type Route } from '../http/index.ts'
import { toDate } from '../lib/instant-text.ts'
import { readPeriod } from '../search/index.ts'
import { findRule, projectsOf, type AlertServices } from './alerts.routes.ts'
import { explainRules } from './happened/explain.ts'
import { isHappening } from './happened/happening.ts'
import {
  mutedAmong,
  nameIssues,
  readDeliveries,
  readEvaluations,
  readEvaluationsOfIssue,
  readIncidents,
  type DeliveryRow,
  type EvaluationRow,
  type NamedIssue,
} from './ledger/history.ts'
import { LIMITS } from './limits.ts'
import { concerns } from './rule.ts'

type GroupValues = AlertEvaluation['group']

const evaluationJson = (row: EvaluationRow, issues: ReadonlyMap<number, NamedIssue>): AlertEvaluation => ({
  id: String(row.id),
  at: toDate(row.at),
  lateSeconds: Math.max(0, Math.round((row.evaluated_at - row.at) / 1000)),
  ruleVersion: row.rule_version,
  // Only this capability writes them.
  group: JSON.parse(row.group_values) as GroupValues,
  issue: issues.get(row.issue_id ?? 0) ?? null,
  decision: row.decision,
  reason: row.reason,
  sentence: row.sentence,
  value: row.value,
  limit: row.value_limit,
  unit: row.unit,
  windowMinutes: row.window_minutes,
  incidentId: row.incident_id === null ? null : String(row.incident_id),
  repeated: row.repeated,
  rows: row.rows_read,
  milliseconds: row.milliseconds,
})

const STATES: Readonly<Record<string, AlertDelivery['state']>> = {
  waiting: 'waiting',
  sending: 'sending',
  sent: 'sent',
  failed: 'failed',
  expired: 'failed',
  folded: 'held',
  held: 'held',
}

const deliveryJson = (row: DeliveryRow): AlertDelivery => {
  const isPeople = !row.receiver.startsWith('channel:')
  return {
    id: String(row.id),
    at: toDate(row.sent_at),
    stage: row.stage,
    receiver: isPeople ? (row.person ?? 'Somebody who is gone') : (row.channel ?? 'A deleted channel'),
    channel: isPeople ? 'inbox' : (row.kind ?? 'other'),
    channelId: row.channel_id === null ? null : String(row.channel_id),
    // Each person hears of it in the way that they chose, which may be not at all.
    state: isPeople
      ? row.item_id === null
        ? 'withdrawn'
        : 'sent'
      : row.state === null
        ? 'withdrawn'
        : (STATES[row.state] ?? 'waiting'),
    sentence: isPeople && row.item_id === null ? 'By their settings, or because they had heard of it.' : row.error,
  }
}

const idOrNull = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

/** What rules came to, when they spoke, and why they did not speak of an issue. */
// long: three routes, each a list of steps
export const createAlertHistoryRoutes = (
  services: AlertServices & {
    /** An issue by id or short id; null when there is none. */
    readonly findIssue: (organizationId: number, reference: string) => Promise<{ id: number; projectId: number } | null>
  },
): Route[] => {
  const { clock, known, ledger, rules } = services
  return [
    bind(listAlertEvaluations, async ({ params, query, request }) => {
      const rule = await findRule(services, request, params.alert)
      const organizationId = request.organization.id
      const asked = readMomentPage(query)
      const found = await readEvaluations(ledger, { organizationId, ruleId: rule.id, all: query.all, page: asked })
      const { rows, page } = toMomentPage(found, asked, ({ at, id }) => ({ at, id }))
      const issues = await nameIssues(
        ledger,
        organizationId,
        rows.map(({ issue_id: id }) => id),
      )
      return { body: rows.map((row) => evaluationJson(row, issues)), page }
    }),

    bind(listAlertIncidents, async ({ query, request }) => {
      const organizationId = request.organization.id
      const isPeriod = (query.statsPeriod ?? query.start ?? query.end) !== undefined
      const period = isPeriod ? orBadRequest(readPeriod(query, clock.now())) : null
      const asked = readMomentPage(query)
      const found = await readIncidents(ledger, {
        organizationId,
        ruleId: idOrNull(query.alert),
        issueId: idOrNull(query.issue),
        isOpen: query.open === true,
        projectIds: await projectsOf(services, request, query.project),
        from: period?.from ?? null,
        until: period?.to ?? null,
        page: asked,
      })
      const { rows, page } = toMomentPage(found, asked, ({ id, started_at: at }) => ({ at, id }))
      const issues = await nameIssues(
        ledger,
        organizationId,
        rows.map(({ issue_id: id }) => id),
      )
      const deliveries = await readDeliveries(
        ledger,
        organizationId,
        rows.map(({ id }) => id),
      )
      const muted = await mutedAmong(
        ledger,
        organizationId,
        rows.map(({ rule_id: id }) => id),
        clock.now(),
      )
      return {
        body: rows.map((row) => ({
          id: String(row.id),
          ruleId: String(row.rule_id),
          ruleName: row.rule_name,
          group: JSON.parse(row.group_values) as GroupValues,
          issue: issues.get(row.issue_id ?? 0) ?? null,
          projectId: row.project_id === null ? null : String(row.project_id),
          headline: row.headline,
          state: row.state,
          isMuted: row.ended_at === null && muted.has(row.rule_id),
          started: toDate(row.started_at),
          ended: row.ended_at === null ? null : toDate(row.ended_at),
          peak: row.peak,
          limit: row.value_limit,
          unit: row.unit,
          swallowed: row.swallowed,
          deliveries: deliveries.filter(({ incident_id: id }) => id === row.id).map(deliveryJson),
        })),
        page,
      }
    }),

    bind(listIssueAlerts, async ({ params, request }) => {
      const organizationId = request.organization.id
      const issue = await services.findIssue(organizationId, params.issue)
      if (issue === null) throw notFound()
      const facts = (await factsOfIssue(ledger.db, organizationId, issue.id, LIMITS.ALERT_FACTS_EXPLAINED)).filter(
        isHappening,
      )
      const rows = await readEvaluationsOfIssue(
        ledger,
        organizationId,
        issue.id,
        LIMITS.ALERT_FACTS_EXPLAINED * LIMITS.ALERT_QUIET_EVALUATIONS,
      )
      const issues = await nameIssues(ledger, organizationId, [issue.id])
      const all = (await rules.list(organizationId, clock.now())).filter((rule) => concerns(rule, issue.projectId))
      const { all: compiled } = await known.of(organizationId)
      const explained = explainRules({ rules: all, compiled, facts, evaluations: rows })
      return {
        body: {
          happenings: facts.map(({ kind, receivedAt }) => ({ at: toDate(receivedAt), kind })).toReversed(),
          rules: explained
            .toSorted((left, right) => Number(right.spoke) - Number(left.spoke))
            .slice(0, LIMITS.ALERT_RULES_EXPLAINED)
            .map(({ evaluations, rule, sentence, spoke }) => ({
              rule: { id: String(rule.id), name: rule.draft.name, source: rule.draft.trigger.source },
              spoke,
              sentence,
              evaluations: evaluations.map((row) => evaluationJson(row, issues)),
            })),
        },
      }
    }),
  ]
}
