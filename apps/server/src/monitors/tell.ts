import { occurrenceHash, type IssueWorkflow } from '../issues/index.ts'
import type { Submission } from '../ingest/index.ts'
import type { MonitorEvents, WaitingEvent } from './ledger/events.ts'
import { fingerprintOf, ISSUE_TYPE, submissionOf } from './occurrence.ts'

/**
 * Makes events of issues of what failed, and resolves the issue when it is over. What is told is kept until its event was
 * digested, so that nothing is over before it began; sent twice, an event is stored once.
 */
export const createTell = ({
  changed,
  events,
  now,
  settledUntil,
  submit,
  workflow,
}: {
  readonly events: MonitorEvents
  readonly workflow: Pick<IssueWorkflow, 'assignee' | 'change'>
  readonly submit: (submission: Submission) => Promise<void>
  readonly settledUntil: () => number
  readonly now: () => number
  /** Issues are others than they were. */
  readonly changed: (organizationId: number, projectId: number) => void
}) => {
  const issueOf = ({ monitor }: WaitingEvent) =>
    events.issueOf(monitor.projectId, occurrenceHash(ISSUE_TYPE, fingerprintOf(monitor)))

  const actorOf = ({ monitor }: WaitingEvent) => ({ organizationId: monitor.organizationId, userId: null, now: now() })

  /** Whoever owns the monitor has its issue, unless it was decided before whose it is. */
  const assign = async (event: WaitingEvent): Promise<void> => {
    const { organizationId, ownerTeamId, ownerUserId, projectId } = event.monitor
    if (ownerTeamId === null && ownerUserId === null) return
    const issue = await issueOf(event)
    if (issue === null || issue.wasAssigned) return
    const owner = await workflow.assignee(
      organizationId,
      ownerTeamId === null ? { kind: 'user', id: ownerUserId ?? 0 } : { kind: 'team', reference: String(ownerTeamId) },
    )
    if (owner === null) return
    await workflow.change({ ...actorOf(event), ids: [issue.id], assignee: owner })
    changed(organizationId, projectId)
  }

  /** @returns whether there is more to tell */
  return async (): Promise<boolean> => {
    const unsent = await events.unsent()
    await Promise.all(unsent.map(({ monitor, run }) => submit(submissionOf(monitor, run))))
    if (unsent.length > 0) await events.sent(unsent, now())
    const digested = await events.digested(settledUntil())
    for (const event of digested) await assign(event)
    // As long as the failures that came later are known.
    await events.forgetOvertaken()
    // Together: one by one, each of many would wait for a transaction of its own.
    await events.done(digested.map(({ id }) => id))
    const recovered = await events.recovered(now())
    for (const event of recovered) {
      const issue = await issueOf(event)
      // What somebody archived stays so.
      if (issue?.isUnresolved === true) {
        await workflow.change({ ...actorOf(event), ids: [issue.id], status: { kind: 'resolved' } })
        changed(event.monitor.organizationId, event.monitor.projectId)
      }
    }
    await events.done(recovered.map(({ id }) => id))
    return (await events.waiting()) > 0
  }
}
