import type { Served, ServerParts } from '../capability.ts'
import { createTrial, enqueueMessages } from '../channels/index.ts'
import { followFacts } from '../facts/index.ts'
import { createIssueReads } from '../issues/index.ts'
import { notify } from '../notices/index.ts'
import { createOwners } from '../ownership/index.ts'
import { createAlertRoutes, type AlertServices } from './alerts.routes.ts'
import { createDryRunRoute } from './dry-run/dry-run.routes.ts'
import { createAlertRetention } from './expiry.ts'
import { createAlertHistoryRoutes } from './history.routes.ts'
import { createTellCalm } from './happened/calm.ts'
import { createPrepare } from './happened/prepare.ts'
import { createTellDue } from './happened/tell-due.ts'
import { createTellOver } from './happened/tell-over.ts'
import { createTakeFacts } from './happened/take-facts.ts'
import { createKnownRules, type KnownRules } from './known-rules.ts'
import { createPersonalAlerts } from './ledger/erase-groups.ts'
import { createRules } from './ledger/rules.ts'
import { LIMITS } from './limits.ts'
import { createOwnersOf } from './owners-of.ts'
import { createNewerAlertRoutes } from './newer/newer.routes.ts'
import { createNewerAlertWrites } from './newer/writes.routes.ts'
import { createOlderAlertRoutes } from './older/older.routes.ts'
import { createReceivers } from './receivers.ts'
import { snoozePath } from './snooze-link.ts'
import { createMeasuredAlerts } from './measure/index.ts'
import { createSnoozePage } from './snooze-page.ts'
import { createSentryRuleRoutes } from './sentry/rules.routes.ts'
import { createTellEnds } from './telling/tell-ends.ts'
import { createTellLater } from './telling/tell-later.ts'
import { createTryRuleRoute } from './try-rule.routes.ts'

export const serveAlerts = (parts: ServerParts): Served => {
  const { accounts, clock, ledger, live, logger } = parts
  const key = parts.keyFor('alerts')
  const { issues } = createIssueReads(parts)
  const known: KnownRules = createKnownRules({
    ledger,
    clock,
    rules: { list: (organizationId, now) => rules.list(organizationId, now) },
  })
  const rules = createRules({
    ledger,
    changed: (organizationId) => {
      known.forget(organizationId)
      // A rule that was deleted has ends to tell.
      later.occasion.wake()
      live.publish({ topic: 'alerts', organizationId, projectId: null, at: clock.now() })
    },
  })
  const owners = createOwners(parts)
  const outlets = {
    enqueue: enqueueMessages,
    notify,
    ownersOf: createOwnersOf(ledger, owners),
    fallsThrough: owners.fallsThrough,
  }
  const snooze = (ruleId: number, organizationId: number): string =>
    snoozePath(key, ruleId, organizationId, clock.now())
  const take = createTakeFacts({ dialect: ledger.dialect, outlets, now: () => clock.now(), snoozePath: snooze })
  const receivers = createReceivers({ ledger, ...outlets })
  const telling = { ledger, rules: known, receivers, clock, outlets, snoozePath: snooze }
  const later = createTellLater({
    ...telling,
    further: [createTellDue(telling), createTellCalm(telling), createTellOver(telling), createTellEnds(telling)],
  })
  const measured = createMeasuredAlerts(parts, {
    rules,
    issues,
    receivers,
    outlets,
    snoozePath: snooze,
    told: () => later.occasion.wake(),
  })
  const services: AlertServices = {
    ledger,
    rules,
    known,
    clock,
    resolveProjects: (organizationId, references) => accounts.projects.resolve(organizationId, references),
    measuredProblem: measured.problem,
    measuredStates: measured.states,
  }
  return {
    routes: [
      ...createAlertRoutes(services),
      ...createOlderAlertRoutes(services),
      ...createNewerAlertRoutes(services),
      ...createNewerAlertWrites(services),
      createDryRunRoute(services, { ...parts, ...measured.past }),
      createTryRuleRoute(services, {
        ledger,
        tryChannel: createTrial(parts),
        receivers,
        notify: outlets.notify,
        now: () => clock.now(),
      }),
      ...createSentryRuleRoutes(services),
      ...createAlertHistoryRoutes({
        ...services,
        findIssue: async (organizationId, reference) => {
          const id = await issues.find(organizationId, reference)
          const [record] = id === null ? [] : await issues.records(organizationId, [id])
          return record === undefined ? null : { id: record.id, projectId: record.project.id }
        },
      }),
    ],
    pages: [createSnoozePage({ rules, clock, key })],
    jobs: [
      followFacts({
        ledger,
        live,
        clock,
        logger,
        name: 'alerts',
        batch: LIMITS.ALERT_FACTS_AT_ONCE,
        prepare: createPrepare({ ledger, rules: known, clock, receivers }),
        take: async (transaction, facts, prepared) => {
          if (prepared === undefined) return
          await take(transaction, facts, prepared)
          later.occasion.wake()
        },
      }),
      measured.job,
      { name: 'alerts that wait', everyMs: LIMITS.ALERT_TICK_MS, isDue: later.occasion.isDue, run: later.run },
    ],
    retention: createAlertRetention({ ledger, purge: rules.purge }),
    personal: [createPersonalAlerts({ ledger, clock, groups: measured.ofPerson, ended: later.occasion.wake })],
  }
}
