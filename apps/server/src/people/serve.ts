import type { Served, ServerParts } from '../capability.ts'
import { stepsUnderWay } from '../facts/index.ts'
import { createReportsOfPerson } from '../feedback/index.ts'
import { createErrorsOfPerson, createIssueReads, PLAN_TELLING } from '../issues/index.ts'
import { createOccasion } from '../lib/occasion.ts'
import { answering } from '../lib/questions.ts'
import { createLinesOfPerson } from '../logs/index.ts'
import { createReplaysOfPerson } from '../replays/index.ts'
import { quietMsOf } from '../storage/ledger/quiet.ts'
import { createTransactionsOfPerson } from '../traces/index.ts'
import { createEraseJob } from './erasure/erase-job.ts'
import { createErasureRoutes } from './erasure/erasure.routes.ts'
import { createLedgerErasures } from './ledger/erasures.ts'
import { readSaid } from './ledger/said.ts'
import { createTellingSends } from './ledger/send-tellings.ts'
import { createLedgerTellings, planByItself } from './ledger/tellings.ts'
import { untoldIssues } from './ledger/untold.ts'
import { recipientsOf, type Reach } from './ledger/written-reports.ts'
import { LIMITS } from './limits.ts'
import { createPersonRoutes } from './person/person.routes.ts'
import { createSaidRoutes } from './said/said.routes.ts'
import { createTellJob } from './telling/tell-job.ts'
import { createTellingRoutes } from './telling/telling.routes.ts'

export const servePeople = (parts: ServerParts): Served => {
  const { accounts, ask, client, clock, keyFor, ledger, letGoReceived, live, logger, mailer, personal, settledWhole } =
    parts
  const { issues, attachments } = createIssueReads(parts)
  const tellings = createLedgerTellings({ ledger })
  const reach: Reach = { canSendEmail: mailer !== null, addressKey: keyFor('addresses of reporters') }
  const changed = (organizationId: number, projectId: number, issueId: number): void => {
    const data = { issueIds: [String(issueId)], opened: [] }
    live.publish({ topic: 'issues', organizationId, projectId, at: clock.now(), data })
  }
  const sources = {
    errors: createErrorsOfPerson(client),
    transactions: createTransactionsOfPerson(client),
    lines: createLinesOfPerson(client),
    replays: createReplaysOfPerson(client),
    reports: createReportsOfPerson(ledger),
  }
  const projects = (organizationId: number) => issues.projects(organizationId)
  const erasures = createLedgerErasures({ ledger })
  const ending = new AbortController()
  const occasion = createOccasion({ clock, quietMs: quietMsOf(ledger) })
  live.hear(({ topic }) => {
    if (topic === 'feedback') occasion.wake()
  })
  const erasuresChanged = (organizationId: number): void => {
    live.publish({ topic: 'feedback', organizationId, projectId: null, at: clock.now() })
  }
  const eraseJob = createEraseJob({
    erasures,
    personal,
    settledUntil: settledWhole.until,
    readersDone: () => stepsUnderWay(ledger),
    letGoReceived,
    clock,
    logger,
    ending: ending.signal,
    changed: erasuresChanged,
  })
  return {
    routes: [
      ...createSaidRoutes({
        issues,
        attachments,
        ask,
        said: readSaid(ledger),
        settings: accounts.lookup,
        canSendEmail: reach.canSendEmail,
      }),
      ...createTellingRoutes({
        issues,
        tellings,
        clock,
        recipients: ({ organizationId, storedIds, project }, leftOut) =>
          recipientsOf(
            ledger.db,
            { dialect: ledger.dialect, reach },
            { organizationId, issueIds: storedIds, leftOut, settings: project.settings },
          ),
        changed: ({ organizationId, project, id }) => changed(organizationId, project.id, id),
      }),
      ...createPersonRoutes({
        issues,
        clock,
        projects,
        sources,
      }),
      ...createErasureRoutes({ erasures, personal, sources, issues, projects, clock, changed: erasuresChanged }),
    ],
    jobs: [
      tellJobOf(parts, reach),
      {
        name: 'people who are erased',
        everyMs: LIMITS.ERASURE_INTERVAL_MS,
        isDue: occasion.isDue,
        run: () =>
          occasion.take(async () => {
            await eraseJob.run()
            return (await erasures.nextAt()) ?? Infinity
          }),
      },
    ],
    end: () => ending.abort(),
    knows: [answering(PLAN_TELLING, (request) => tellings.plan(request))],
  }
}

const tellJobOf = ({ clock, ledger, live, logger }: ServerParts, reach: Reach) => {
  const occasion = createOccasion({ clock, quietMs: quietMsOf(ledger) })
  live.hear(({ topic }) => {
    if (topic === 'issues' || topic === 'feedback') occasion.wake()
  })
  const job = createTellJob({
    untold: untoldIssues(ledger),
    planByItself: (issue, now) => ledger.transaction((transaction) => planByItself(transaction, { ...issue, now })),
    sends: createTellingSends({ ledger, reach }),
    occasion,
    logger,
    told: (organizationId) => live.publish({ topic: 'feedback', organizationId, projectId: null, at: clock.now() }),
  })
  const everyMs = LIMITS.TELLING_INTERVAL_MS
  return { name: 'people who are told of resolved issues', everyMs, isDue: occasion.isDue, run: () => job.run() }
}
