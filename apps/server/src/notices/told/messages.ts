import type { Action, Block, Message } from '../../channels/index.ts'
import { formatShortId } from '../../issues/index.ts'
import { LIMITS } from '../limits.ts'
import { cut } from '../message-text.ts'

/** What people are told of issues and reports, as messages. What events and visitors sent stands in text leaves alone. */

/** Where something stands. */
export interface Place {
  readonly organizationSlug: string
  readonly projectSlug: string
  readonly projectName: string
}

/** An issue, as it was when it happened. */
export interface ToldIssue {
  readonly id: number
  readonly number: number
  readonly title: string
  readonly culprit: string
  readonly level: string
  readonly timesSeen: number
}

export const levelOf = (level: string): Message['level'] =>
  level === 'fatal' || level === 'error' || level === 'warning' ? level : 'info'

export const shortIdOf = ({ projectSlug }: Place, { number }: Pick<ToldIssue, 'number'>): string =>
  formatShortId(projectSlug, number)

const issueAction = ({ organizationSlug }: Place, { id }: Pick<ToldIssue, 'id'>, shortId: string): Action => ({
  label: `Open ${shortId}`,
  path: `/organizations/${organizationSlug}/issues/${id}`,
})

const factsOf = (place: Place, { culprit, timesSeen }: ToldIssue): Block => ({
  kind: 'facts',
  rows: [
    { name: 'Project', value: place.projectName || place.projectSlug },
    ...(culprit === '' ? [] : [{ name: 'Where', value: culprit }]),
    { name: 'Events', value: String(timesSeen) },
  ],
})

/** @param headline of what happened, in front of what the issue is called */
export const issueMessage = (
  place: Place,
  issue: ToldIssue,
  told: {
    readonly kind: Message['kind']
    readonly level?: Message['level']
    readonly headline: string
    readonly quote?: { readonly text: string; readonly by: string }
    readonly reason: string
    /** Nothing is left to be done about it. */
    readonly isOver?: boolean
  },
): Message => {
  const title = cut(issue.title, LIMITS.NOTICE_TITLE_CHARS)
  const blocks: Block[] = [
    ...(told.quote === undefined ? [] : [{ kind: 'quote' as const, ...told.quote }]),
    { kind: 'code', text: title },
    factsOf(place, issue),
  ]
  return {
    kind: told.kind,
    level: told.level ?? levelOf(issue.level),
    headline: `${told.headline}: ${title}`,
    blocks,
    actions: [issueAction(place, issue, shortIdOf(place, issue))],
    thread: `issue:${issue.id}`,
    stage: told.isOver === true ? 'over' : 'single',
    reason: told.reason,
  }
}

export const reportMessage = (
  { organizationSlug, projectName, projectSlug }: Place,
  report: {
    readonly id: number
    readonly by: string
    readonly text: string
    readonly headline: string
    readonly url: string | null
    readonly reason: string
  },
): Message => ({
  kind: 'feedback',
  level: 'info',
  headline: cut(report.headline, LIMITS.NOTICE_TITLE_CHARS),
  blocks: [
    { kind: 'quote', text: cut(report.text, LIMITS.NOTICE_DETAIL_CHARS), by: report.by },
    {
      kind: 'facts',
      rows: [
        { name: 'Project', value: projectName || projectSlug },
        ...(report.url === null ? [] : [{ name: 'Page', value: report.url }]),
      ],
    },
  ],
  actions: [{ label: 'Read and answer', path: `/organizations/${organizationSlug}/feedback?report=${report.id}` }],
  thread: `report:${report.id}`,
  stage: 'single',
  reason: report.reason,
})
