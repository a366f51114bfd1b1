import { livingProjects } from '../../accounts/index.ts'
import { errorsDataset } from '../../issues/errors-dataset.ts'
import { createIssueApp, type IssueAppParts } from '../../issues/test/issue-app.ts'
import type { ChannelKindName } from '../../channels/channel.ts'
import type { LedgerEngine } from '../../storage/conformance/engines.ts'
import { spansDataset } from '../../traces/telemetry/span-dataset.ts'
import { createAlertRoutes, type AlertServices } from '../alerts.routes.ts'
import { createAlertHistoryRoutes } from '../history.routes.ts'
import { createKnownRules } from '../known-rules.ts'
import { createRules } from '../ledger/rules.ts'
import { createMeasuredProblem } from '../measure/problem.ts'
import { createNewerAlertRoutes } from '../newer/newer.routes.ts'
import { createNewerAlertWrites } from '../newer/writes.routes.ts'
import { createOlderAlertRoutes } from '../older/older.routes.ts'
import { createSentryRuleRoutes } from '../sentry/rules.routes.ts'

/** Tests: alerts at our address and at Sentry's, in process, of an organisation that has a project and an environment. */

const routesOf = ({ accounts, ask, clock, ledger }: IssueAppParts) => {
  const known: AlertServices['known'] = createKnownRules({
    ledger,
    clock,
    rules: { list: (organizationId, now) => rules.list(organizationId, now) },
  })
  const rules = createRules({ ledger, changed: (organizationId) => known.forget(organizationId) })
  const services: AlertServices = {
    ledger,
    rules,
    known,
    clock,
    resolveProjects: (organizationId, references) => accounts.projects.resolve(organizationId, references),
    measuredProblem: createMeasuredProblem({
      datasets: [errorsDataset, spansDataset],
      ask,
      projects: livingProjects(ledger),
    }),
    // Nothing is evaluated here.
    measuredStates: async () => new Map(),
  }
  return [
    ...createAlertRoutes(services),
    ...createOlderAlertRoutes(services),
    ...createNewerAlertRoutes(services),
    ...createNewerAlertWrites(services),
    ...createSentryRuleRoutes(services),
    // No issue is asked about here.
    ...createAlertHistoryRoutes({ ...services, findIssue: async () => null }),
  ]
}

export const createOlderAlertApp = async (engine: LedgerEngine) => {
  const app = await createIssueApp(engine, { moreRoutes: routesOf })
  const acme = await app.organization('acme')
  const { organizationId, projectId } = acme
  const { db } = app.ledger
  await db.insertInto('environments').values({ project_id: projectId, name: 'production', first_seen: 1 }).execute()

  /** What came back, where it was not refused. */
  const asked = async (method: string, path: string, body?: unknown) => {
    const answer = await acme.call(method, path, body)
    if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    ...app,
    acme,
    organizationId,
    projectId,
    call: acme.call,
    asked,
    /** Why it is refused; '' where it is not. */
    refusal: async (method: string, path: string, body?: unknown): Promise<string> => {
      const { status, body: answer } = await acme.call(method, path, body)
      return status < 300 ? '' : `${status} ${(answer as { detail: string }).detail}`
    },
    addChannel: async (kind: ChannelKindName, name: string): Promise<string> => {
      const { id } = await db
        .insertInto('channels')
        .values({
          organization_id: organizationId,
          kind,
          name,
          settings: '{}',
          sealed: '',
          version: 1,
          is_on: 1,
          off_reason: '',
          failing_since: null,
          last_sent_at: null,
          last_error: null,
          created_by: null,
          created_at: 1,
          deleted_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return String(id)
    },
  }
}
