import type { Served, ServerParts } from '../capability.ts'
import type { Announcement } from '../ingest/index.ts'
import { createIssueReads } from '../issues/index.ts'
import { createOccasion } from '../lib/occasion.ts'
import { answering } from '../lib/questions.ts'
import { LIMITS as STORAGE_LIMITS } from '../storage/limits.ts'
import { quietMsOf } from '../storage/ledger/quiet.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { CHECK_IN_ITEMS } from './digest.ts'
import { createDecisions } from './decisions.ts'
import { createEndRemoved } from './end-removed.ts'
import { createCheckInRoutes } from './check-ins.routes.ts'
import { createMonitorEvents } from './ledger/events.ts'
import { createRunRetention } from './ledger/expiry.ts'
import { createMonitorChanges } from './ledger/monitor-changes.ts'
import { createMonitors } from './ledger/monitors.ts'
import { notePresence } from './ledger/presence.ts'
import { createRunsView } from './ledger/runs-view.ts'
import { LIMITS } from './limits.ts'
import { createMonitorLookup } from './monitor-lookup.ts'
import { createMonitorRoutes } from './monitors.routes.ts'
import { createStoredUntil } from './stored-until.ts'
import { RESULTS_STORED_UNTIL } from './telemetry/result-dataset.ts'
import { createTell } from './tell.ts'
import { createResultWriter } from './write-results.ts'

export const serveMonitors = async (parts: ServerParts): Promise<Served> => {
  const { accounts, client, clock, ledger, live, logger, settled, submit } = parts
  const { workflow } = createIssueReads(parts)
  const monitors = createMonitors({ ledger })
  const occasion = createOccasion({ clock, quietMs: quietMsOf(ledger) })
  const telling = createOccasion({ clock, quietMs: quietMsOf(ledger) })
  const writing = createOccasion({ clock, quietMs: quietMsOf(ledger) })
  const settledUntil = (): number => settled.until() ?? 0
  let notedAt = Number.POSITIVE_INFINITY
  const presence = async (now: number): Promise<void> => {
    if (now >= notedAt && now - notedAt < LIMITS.MONITOR_PRESENCE_MS) return
    if (!(await monitors.exist())) return
    await notePresence(ledger, PRESENCE, now)
    notedAt = now
  }
  // Before the digest decides anything: it must know that the server was away.
  await presence(clock.now())
  const tellPages = (organizationId: number, projectId: number | null): void =>
    live.publish({ topic: 'monitors', organizationId, projectId, at: clock.now() })
  const changed = (organizationId: number, projectId: number): void => {
    occasion.wake()
    telling.wake()
    writing.wake()
    tellPages(organizationId, projectId)
  }
  const issuesChanged = (organizationId: number, projectId: number): void =>
    live.publish({ topic: 'issues', organizationId, projectId, at: clock.now() })
  const tell = createTell({
    events: createMonitorEvents({ ledger }),
    workflow,
    submit,
    settledUntil,
    now: clock.now,
    changed: issuesChanged,
  })
  const { decide, decidingUntil } = createDecisions({
    ledger,
    monitors,
    settledUntil,
    presence,
    changed: (organizationId) => tellPages(organizationId, null),
    decided: () => {
      telling.wake()
      writing.wake()
    },
  })
  const writeResults = createResultWriter({ ledger, logger, writer: createRowWriter({ client, logger }) })
  const changes = createMonitorChanges({ ledger })
  const runs = createRunsView({ ledger })
  const findAssignee = workflow.assignee
  const lookup = createMonitorLookup({ accounts, monitors, runs, findAssignee, clock })
  return {
    routes: [
      ...createMonitorRoutes({ accounts, monitors, changes, lookup, findAssignee, clock, changed, issuesChanged }),
      ...createCheckInRoutes({ ledger, monitors, runs, lookup, clock }),
    ],
    knows: [answering(RESULTS_STORED_UNTIL, createStoredUntil({ ledger, decidingUntil }))],
    hear: {
      [CHECK_IN_ITEMS]: ({ organizationId, projectId }: Announcement) => changed(organizationId, projectId),
    },
    jobs: [
      // However long anything else takes, the server was here meanwhile.
      { name: 'presence of the server', everyMs: LIMITS.MONITOR_INTERVAL_MS, run: () => presence(clock.now()) },
      {
        name: 'monitors that are due',
        everyMs: LIMITS.MONITOR_INTERVAL_MS,
        isDue: occasion.isDue,
        run: () => occasion.take(decide),
      },
      {
        name: 'monitors of which is to be told',
        everyMs: LIMITS.MONITOR_INTERVAL_MS,
        isDue: telling.isDue,
        run: () => telling.take(async (now) => ((await tell()) ? now : Number.POSITIVE_INFINITY)),
      },
      {
        name: 'results of monitors',
        everyMs: LIMITS.MONITOR_INTERVAL_MS,
        isDue: writing.isDue,
        run: () =>
          writing.take(async () => {
            await writeResults()
            return Number.POSITIVE_INFINITY
          }),
      },
      createEndRemoved({ ...parts, changed: issuesChanged }),
      {
        name: 'monitors that were deleted',
        everyMs: STORAGE_LIMITS.HOUSEKEEPING_INTERVAL_MS,
        byTheClock: true,
        run: () => monitors.purge(clock.now()),
      },
    ],
    retention: createRunRetention({ ledger }),
    memberRemoved: (organizationId, userId) => monitors.forgetOwner(organizationId, userId),
  }
}

/** What takes check-ins in. */
const PRESENCE = 'door'
