import { livingProjects } from '../../accounts/index.ts'
import type { CapabilityJob, ServerParts } from '../../capability.ts'
import type { IssueView } from '../../issues/index.ts'
import { createCountedSince } from './counted-since.ts'
import { projectsSince } from './ledger/projects.ts'
import { noteRepeated } from '../ledger/evaluations.ts'
import type { Rules } from '../ledger/rules.ts'
import type { Outlets } from '../outlets.ts'
import type { Receivers } from '../receivers.ts'
import { createWatchedRules } from './ledger/watched-rules.ts'
import { LIMITS } from '../limits.ts'
import { createMeasure } from './measure.ts'
import { createMeasuredProblem } from './problem.ts'
import { measuredStates } from './states.ts'
import { dueGroups, endIncidentsOfGroups, endIncidentsOfRules, incidentPeriods } from './tell/incidents.ts'
import { createIssuesBehind } from './tell/issues-behind.ts'
import { createPrepareTelling } from './tell/prepare.ts'
import { createTakeOutcomes, repeatedEvaluation } from './tell/take.ts'

/** What rules about how much, and about nothing, add to alerts. */
export const createMeasuredAlerts = (
  {
    ask,
    client,
    clock,
    datasets,
    ledger,
    settled,
  }: Pick<ServerParts, 'ask' | 'clock' | 'datasets' | 'ledger' | 'settled'> & {
    readonly client: Pick<ServerParts['client'], 'query'>
  },
  parts: {
    readonly rules: Pick<Rules, 'find'>
    readonly issues: Pick<IssueView, 'records'>
    readonly receivers: Receivers
    readonly outlets: Pick<Outlets, 'enqueue' | 'notify'>
    readonly snoozePath: (ruleId: number, organizationId: number) => string
    /** Something was told, or waits to be told together with others. */
    readonly told: () => void
  },
) => {
  const { issues, outlets, receivers, rules, snoozePath, told } = parts
  const now = (): number => clock.now()
  const take = createTakeOutcomes({ dialect: ledger.dialect, outlets, now, snoozePath })
  const measures = createMeasure({
    client,
    ledger,
    settled,
    datasets,
    ask,
    rules: createWatchedRules(ledger),
    incidentsOf: (ids, since) => incidentPeriods(ledger.db, ids, since),
    take: async (outcomes, _minute, repeated) => {
      const speakers = await prepare(outcomes)
      return async (transaction) => {
        await noteRepeated(transaction, repeated.map(repeatedEvaluation))
        await take(transaction, outcomes, speakers)
        told()
      }
    },
    due: (at) => dueGroups(ledger.db, at),
    gone: async (ids, why) => {
      await endIncidentsOfRules(ledger, ids, why, now())
      if (ids.length > 0) told()
    },
    goneGroups: async (ruleId, keys, why) => {
      await endIncidentsOfGroups(ledger, { ruleId, keys }, why, now())
      if (keys.length > 0) told()
    },
  })
  const issuesBehind = createIssuesBehind({
    ask,
    datasets,
    issues,
    numbers: measures.numbers,
    projects: livingProjects(ledger),
  })
  const prepare = createPrepareTelling({ ledger, rules, receivers, issuesBehind, now })
  const job: CapabilityJob = { name: 'alerts by the minute', everyMs: LIMITS.MEASURE_INTERVAL_MS, run: measures.run }
  return {
    job,
    ofPerson: measures.ofPerson,
    problem: createMeasuredProblem({ datasets, ask, projects: livingProjects(ledger) }),
    states: measuredStates(measures),
    /** What dry runs ask. */
    past: {
      numbers: measures.numbers,
      namesOf: measures.namesOf,
      projects: livingProjects(ledger),
      projectsSince: projectsSince(ledger),
      countedSince: createCountedSince({ client }),
    },
  }
}
