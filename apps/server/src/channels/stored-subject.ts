import type { EventTitle, NormalisedEvent } from '../event/event.ts'
import { createEventTitle } from '../event/index.ts'
import { plainIssues, type IssueServices } from '../issues/index.ts'
import type { Subject } from './message.ts'

/** What a message is about as it is stored, for receivers that want it whole. */
export interface StoredSubject {
  readonly issue: Readonly<Record<string, unknown>> | null
  readonly event: { readonly event: NormalisedEvent; readonly title: EventTitle } | null
}

export type ReadSubject = (
  organization: { readonly id: number; readonly slug: string },
  about: Subject | undefined,
) => Promise<StoredSubject>

/** Null for what is not there (any more): a message goes out all the same. */
export const createReadSubject = ({
  ask,
  events,
  issues,
  publicUrl,
}: Pick<IssueServices, 'ask' | 'events' | 'issues'> & { readonly publicUrl: string }): ReadSubject => {
  const eventOf = async (organizationId: number, about: Subject): Promise<StoredSubject['event']> => {
    const eventId = about.event?.['eventId']
    if (typeof eventId !== 'string' || about.project === undefined) return null
    const [location] = await issues.locateEvent(organizationId, [about.project.id], eventId)
    const found = location === undefined ? null : await events.load({ organizationId, eventId, ...location })
    return found === null ? null : { event: found.event, title: createEventTitle(found.event) }
  }
  return async (organization, about) => {
    if (about?.issue === undefined) return { issue: null, event: null }
    const records = await issues.records(organization.id, [about.issue.id])
    const [issue] = await plainIssues({ ask, events, issues }, { ...organization, publicUrl }, records)
    return { issue: issue === undefined ? null : { ...issue }, event: await eventOf(organization.id, about) }
  }
}
