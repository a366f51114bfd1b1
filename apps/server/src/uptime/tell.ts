import { hash } from 'node:crypto'
import type { Occurrence } from '../event/event.ts'
import type { Submission } from '../ingest/index.ts'
import { occurrenceHash, type IssueWorkflow } from '../issues/index.ts'
import { askedOf } from './ledger/records.ts'
import type { UptimeEvent, UptimeEvents } from './ledger/events.ts'

/** Sentry's word and number of an address that is down, and a word of ours for a certificate that ends. */
const TYPES = {
  address: { type: 'uptime_domain_failure', typeId: 7001, level: 'error' },
  certificate: { type: 'uptime_certificate', typeId: 7002, level: 'warning' },
} as const

const typeOf = ({ about }: Pick<UptimeEvent, 'about'>) => TYPES[about === 'certificate' ? 'certificate' : 'address']

/** Makes events of issues of what failed, and resolves the issue when it is over; nothing is over before it began. */
export const createTell = ({
  changed,
  events,
  now,
  settledUntil,
  submit,
  workflow,
}: {
  readonly events: UptimeEvents
  readonly workflow: Pick<IssueWorkflow, 'change'>
  readonly submit: (submission: Submission) => Promise<void>
  readonly settledUntil: () => number
  readonly now: () => number
  readonly changed: (organizationId: number, projectId: number) => void
}) => {
  /** @returns whether there is more to tell */
  return async (): Promise<boolean> => {
    const unsent = await events.unsent()
    await Promise.all(unsent.map((event) => submit(submissionOf(event))))
    // Together: one by one, each of many would wait for a transaction of its own.
    await events.sent(
      unsent.map(({ id }) => id),
      now(),
    )
    // As long as the failures that came later are known.
    await events.forgetOvertaken()
    await events.forgetDigested(settledUntil())
    const over = await events.over(now())
    for (const event of over) {
      const { type } = typeOf(event)
      const issue = await events.issueOf(event.project_id, occurrenceHash(type, [event.guid]))
      // What somebody archived stays so.
      if (issue?.isUnresolved === true) {
        const { organization_id: organizationId, project_id: projectId } = event
        await workflow.change({
          organizationId,
          userId: null,
          now: now(),
          ids: [issue.id],
          status: { kind: 'resolved' },
        })
        changed(organizationId, projectId)
      }
    }
    await events.done(over.map(({ id }) => id))
    return (await events.waiting()) > 0
  }
}

/** The event of an issue: one for each address, and one for its certificate. */
const submissionOf = (event: UptimeEvent): Submission => {
  const { level, type, typeId } = typeOf(event)
  const { method, url } = askedOf(event)
  const eventId = hash('md5', `uptime event ${event.id} ${event.guid}`)
  const occurrence: Occurrence = {
    type,
    typeId,
    category: 'outage',
    title: `${event.title}: ${event.name}`,
    subtitle: event.reason,
    fingerprint: [event.guid],
    evidence: { checkId: event.guid, url, method },
    evidenceDisplay: [
      { name: event.title, value: event.reason, important: true },
      { name: 'Address', value: `${method} ${url}`, important: true },
    ],
  }
  return {
    organizationId: event.organization_id,
    projectId: event.project_id,
    eventId,
    itemType: 'occurrence',
    payload: {
      event_id: eventId,
      timestamp: event.at / 1000,
      platform: 'other',
      level,
      transaction: event.name,
      environment: event.environment,
      tags: { uptime_check: event.guid },
      request: { method, url },
      occurrence,
    },
  }
}
