import type { Served, ServerParts } from '../capability.ts'
import { createIssueReads } from '../issues/index.ts'
import { createOccasion } from '../lib/occasion.ts'
import { createOutgoing } from '../lib/outgoing.ts'
import { LIMITS as STORAGE_LIMITS } from '../storage/limits.ts'
import { quietMsOf } from '../storage/ledger/quiet.ts'
import { createChecks } from './ledger/checks.ts'
import { createUptimeEvents } from './ledger/events.ts'
import { createResultRetention } from './ledger/expiry.ts'
import { askOthers } from './ledger/others.ts'
import { createResults } from './ledger/results.ts'
import { sealBodies } from './ledger/seal-bodies.ts'
import { LIMITS } from './limits.ts'
import { createPoll } from './poll.ts'
import { createSecrets } from './secrets.ts'
import { createSickness } from './sick.ts'
import { cutOff } from './cut-off.ts'
import { createTell } from './tell.ts'
import { createUptimeRoutes } from './uptime.routes.ts'
import { createWitnesses } from './witnesses.ts'

export const serveUptime = async (parts: ServerParts): Promise<Served> => {
  const { accounts, clock, config, findings, keyFor, ledger, live, logger, settled, submit } = parts
  const { workflow } = createIssueReads(parts)
  const outgoing = createOutgoing({ allowedRanges: config.reachableRanges })
  const secrets = createSecrets(keyFor('uptime'))
  // Before anything reads them.
  await sealBodies(ledger, secrets.seal)
  const checks = createChecks({ ledger })
  const results = createResults({ ledger })
  const sickness = createSickness(clock.now)
  const events = createUptimeEvents({ ledger })
  findings.watch(() => (sickness.isCutOff() ? cutOff() : null))
  const telling = createOccasion({ clock, quietMs: quietMsOf(ledger) })
  const tell = createTell({
    events,
    workflow,
    submit,
    settledUntil: () => settled.until() ?? 0,
    now: clock.now,
    changed: (organizationId, projectId) =>
      live.publish({ topic: 'issues', organizationId, projectId, at: clock.now() }),
  })
  const tellPages = (organizationId: number, projectId: number): void =>
    live.publish({ topic: 'uptime', organizationId, projectId, at: clock.now() })
  const poll = createPoll({
    results,
    send: outgoing.send,
    witnessesOf: createWitnesses({
      askOthers: (away, now) => askOthers(ledger, away, now),
      called: () => poll.wake(),
      logger,
      now: clock.now,
      sickness,
    }),
    open: secrets.open,
    sickness,
    now: clock.now,
    logger,
    recorded: (organizationId, projectId, isToTell) => {
      if (isToTell) telling.wake()
      tellPages(organizationId, projectId)
    },
  })
  return {
    routes: createUptimeRoutes({
      accounts,
      checks,
      results,
      outgoing,
      secrets,
      clock,
      changed: (organizationId, projectId) => {
        poll.wake()
        telling.wake()
        tellPages(organizationId, projectId)
      },
    }),
    jobs: [
      { name: 'addresses that are due', everyMs: LIMITS.UPTIME_LOOK_MS, isDue: poll.isDue, run: poll.run },
      {
        name: 'what addresses answered',
        everyMs: LIMITS.UPTIME_LOOK_MS,
        isDue: telling.isDue,
        run: () =>
          telling.take(async (now) => ((await tell()) ? now + LIMITS.UPTIME_LOOK_MS : Number.POSITIVE_INFINITY)),
      },
      {
        name: 'checks that were deleted',
        everyMs: STORAGE_LIMITS.HOUSEKEEPING_INTERVAL_MS,
        byTheClock: true,
        run: () => checks.purge(clock.now()),
      },
    ],
    retention: createResultRetention({ ledger }),
    end: poll.end,
  }
}
