import type { IssueIntegration, TrackerKindName } from '@firsthand/contract'
import { kindOf } from './kinds/index.ts'
import { trimmed } from './kinds/answers.ts'
import type { TicketRecord } from './ticket.ts'
import { targetOf, type TrackerRecord } from './tracker.ts'

const PROVIDERS: Readonly<Record<TrackerKindName, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  jira: 'Jira',
  linear: 'Linear',
}

/** Those to which a link leads: not what is still to be made, nor what its tracker does not have any more. */
export const areThere = (tickets: readonly TicketRecord[]): readonly TicketRecord[] =>
  tickets.filter(({ url, state }) => url !== '' && state !== 'gone')

export const externalIssueJson = (ticket: TicketRecord, issueId: number) => ({
  id: String(ticket.id),
  issueId: String(issueId),
  serviceType: ticket.tracker.kind,
  displayName: ticket.fullKey,
  webUrl: ticket.url,
})

/** A tracker, and the tickets of an issue in it. */
export const integrationJson = (tracker: TrackerRecord, tickets: readonly TicketRecord[]): IssueIntegration => {
  const { settings } = targetOf(tracker)
  return {
    id: String(tracker.id),
    name: tracker.name,
    icon: null,
    domainName: `${trimmed(settings.url).replace(/^https?:\/\//i, '')}/${kindOf(tracker.kind).name(settings)}`,
    accountType: null,
    scopes: null,
    status: 'active',
    provider: {
      key: tracker.kind,
      slug: tracker.kind,
      name: PROVIDERS[tracker.kind],
      canAdd: true,
      canDisable: false,
      features: ['issue-basic', 'issue-sync'],
      aspects: {},
    },
    externalIssues: tickets
      .filter((ticket) => ticket.tracker.id === tracker.id)
      .map(({ id, key, url, title, fullKey }) => ({
        id: String(id),
        key,
        url,
        title,
        description: null,
        displayName: fullKey,
      })),
  }
}
