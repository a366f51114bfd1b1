import type { Question } from '../lib/questions.ts'

/** A ticket of an issue in a tracker. */
export interface TicketOfIssue {
  /** As people call it anywhere: `acme/shop#12`, `SHOP-12`. */
  readonly key: string
  readonly url: string
}

/**
 * Tickets of issues, by issue; each is asked for with the ids under which it is stored. The capability that knows trackers
 * answers.
 */
export const TICKETS_OF_ISSUES: Question<
  { readonly organizationId: number; readonly issues: ReadonlyMap<number, readonly number[]> },
  ReadonlyMap<number, readonly TicketOfIssue[]>
> = { name: 'tickets of issues', otherwise: new Map() }

/** Ids of all issues of an organisation that have such a ticket, also by those that were merged into them. */
export const ISSUES_WITH_TICKETS: Question<number, readonly number[]> = {
  name: 'which issues have tickets',
  otherwise: [],
}

/** In the shape of Sentry’s API. */
export const annotationJson = ({ key, url }: TicketOfIssue) => ({ displayName: key, url })
