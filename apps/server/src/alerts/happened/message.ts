import { PERSON_ROW, type Block, type Message, type Subject } from '../../channels/index.ts'
import { formatShortId } from '../../issues/index.ts'
import type { AlertRule } from '../rule.ts'
import { environmentOf, eventOf, issueOf, releaseOf, reportOf, type Happening, type Noted } from './happening.ts'
import type { IssueOfFact } from '../../issues/issue-facts.ts'
import type { NamedProject, Surroundings } from './surroundings.ts'

/** What is said of something that happened. Whatever came from outside stands in leaves that are text. */

const KINDS: Readonly<Record<Noted['kind'], { readonly word: string; readonly kind: Message['kind'] }>> = {
  issue_opened: { word: 'New', kind: 'new' },
  issue_regressed: { word: 'Came back', kind: 'regression' },
  issue_escalating: { word: 'Escalating', kind: 'escalation' },
  issue_unarchived: { word: 'No longer archived', kind: 'escalation' },
  issue_priority_raised: { word: 'Priority raised', kind: 'escalation' },
  issue_resolved: { word: 'Resolved', kind: 'other' },
  issue_archived: { word: 'Archived', kind: 'other' },
  issue_reopened: { word: 'Opened again', kind: 'other' },
  issue_assigned: { word: 'Assigned', kind: 'assignment' },
  issue_merged: { word: 'Merged', kind: 'other' },
  issue_unmerged: { word: 'Taken apart', kind: 'other' },
  issue_deleted: { word: 'Deleted', kind: 'other' },
  issue_restored: { word: 'Restored', kind: 'other' },
  release_first_seen: { word: 'First event of', kind: 'release' },
  report_received: { word: 'Feedback', kind: 'feedback' },
  reporter_replied: { word: 'Reply', kind: 'feedback' },
}

const HEADLINE_CHARACTERS = 160

const cut = (text: string, length = HEADLINE_CHARACTERS): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`

/** How much of an error's message stands in a headline, so that there is room for where it happened. */
const ERROR_MESSAGE_CHARACTERS = 60

/** What tells new errors of one type and place apart. A title that is of no error has its message in it. */
const messageOfError = (event: ReturnType<typeof eventOf>): string => {
  if (event?.errorType == null) return ''
  const [line = ''] = (event.errorValue ?? '').trim().split(/[\r\n]/, 1)
  return line === '' ? '' : `: ${cut(line.trimEnd(), ERROR_MESSAGE_CHARACTERS)}`
}

/** What check-ins and addresses find is called by a word for it and a name: `Failed: price-feed`. */
const NAMES_ITSELF: ReadonlySet<string> = new Set(['cron', 'outage'])

/** What an issue is called: a word for what is wrong with it, where its title has one, and the rest. */
const titleOf = ({ category, title }: IssueOfFact): { readonly own: string | null; readonly name: string } => {
  const [own = '', ...rest] = title.split(': ')
  return NAMES_ITSELF.has(category) && rest.length > 0 ? { own, name: rest.join(': ') } : { own: null, name: title }
}

/** What its event is called by, without that word; null where it is of no error. */
const errorTypeOf = (issue: IssueOfFact | null, event: ReturnType<typeof eventOf>): string | null => {
  if (event?.errorType == null) return null
  const own = issue === null ? null : titleOf(issue).own
  return own !== null && event.errorType.startsWith(`${own}: `)
    ? event.errorType.slice(own.length + 2)
    : event.errorType
}

const lower = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

/** One word in front of one colon, also where the title has one: `Failed again: price-feed`. */
const wordOf = (kind: Noted['kind'], own: string | null): string => {
  const { word } = KINDS[kind]
  if (own === null) return word
  if (kind === 'issue_opened') return own
  return kind === 'issue_regressed' ? `${own} again` : `${own}, ${lower(word)}`
}

export const projectName = (project: Pick<NamedProject, 'name' | 'slug'> | null): string =>
  project === null ? '' : project.name || project.slug

interface Words {
  /** What happened; null where the text says it. */
  readonly word: string | null
  readonly text: string
}

const wordsOf = (fact: Noted): Words => {
  if (fact.kind === 'release_first_seen') return { word: null, text: `${KINDS[fact.kind].word} ${fact.data.version}` }
  if (fact.kind === 'report_received') {
    const { message, name } = fact.data.report
    return { word: null, text: `${name ?? 'Somebody'}: “${message}”` }
  }
  if (fact.kind === 'reporter_replied') {
    return { word: null, text: `${fact.data.name ?? 'Somebody'} wrote again: “${fact.data.text}”` }
  }
  const { issue } = fact.data
  const event = eventOf(fact)
  const { name, own } = titleOf(issue)
  const type = errorTypeOf(issue, event)
  const what = type === null ? cut(name, 80) : `${cut(type, 80)}${messageOfError(event)}`
  const often = fact.kind === 'issue_escalating' ? `, ${fact.data.events} events in a day` : ''
  const place = event?.transaction ?? event?.culprit ?? issue.culprit
  const where = place === '' || what.includes(place) ? '' : ` in ${place}`
  return { word: wordOf(fact.kind, own), text: `${what}${often}${where}` }
}

const isOfIssue = (fact: Noted): boolean => issueOf(fact) !== null && fact.kind !== 'report_received'

/** The first line: kind, what, how much, where. */
export const headlineOf = (fact: Noted, { project }: Pick<Surroundings, 'project'>): string => {
  const { text, word } = wordsOf(fact)
  const where = projectName(project(fact.projectId))
  if (fact.kind === 'release_first_seen') return cut(`${text} in ${where}`)
  return cut(`${word === null ? '' : `${word}: `}${text}${where === '' || !isOfIssue(fact) ? '' : ` (${where})`}`)
}

/** Kinds that the head of a list says of all that stands in it. */
const SAID_BY_HEAD: ReadonlySet<Noted['kind']> = new Set(['issue_opened', 'issue_regressed'])

/** The same in a list, whose head says where all of it was, and what of new issues and such that came back. */
export const lineOf = (fact: Noted): string => {
  const { text, word } = wordsOf(fact)
  const isSaid = SAID_BY_HEAD.has(fact.kind) && KINDS[fact.kind].word === word
  return cut(word === null || isSaid ? text : `${word}: ${text}`)
}

/** That it ended, or did not: how long it was, by what was done with it, and what it is. */
export const changedOf = (
  said: string,
  fact: Noted,
  { project }: Pick<Surroundings, 'project'>,
): { readonly headline: string; readonly line: string } => {
  const done = lower(KINDS[fact.kind].word)
  const { text } = wordsOf(fact)
  const where = projectName(project(fact.projectId))
  return { headline: cut(`${said}, ${done}: ${text}${where === '' ? '' : ` (${where})`}`), line: text }
}

const NAME_CHARACTERS = 40

/** An error is called by its type. */
const shortNameOf = (issue: IssueOfFact): string => {
  const { name } = titleOf(issue)
  return (issue.type === 'error' ? /^[\w.$]+(?=: )/.exec(name)?.[0] : undefined) ?? name
}

/** What it is called among others. */
export const nameOf = (fact: Noted, { project }: Pick<Surroundings, 'project'>): string => {
  if (fact.kind === 'release_first_seen') return cut(fact.data.version, NAME_CHARACTERS)
  const report = reportOf(fact)
  if (report !== null) return cut(report.name ?? report.message, NAME_CHARACTERS)
  if (fact.kind === 'reporter_replied') return cut(fact.data.name ?? fact.data.text, NAME_CHARACTERS)
  const issue = issueOf(fact)
  const name = errorTypeOf(issue, eventOf(fact)) ?? (issue === null ? undefined : shortNameOf(issue))
  return cut(name ?? projectName(project(fact.projectId)), NAME_CHARACTERS)
}

const rowsOf = (fact: Happening, surroundings: Surroundings): { name: string; value: string }[] => {
  const issue = issueOf(fact)
  const event = eventOf(fact)
  const rows: (readonly [string, string | null | undefined])[] = [
    ['Project', projectName(surroundings.project(fact.projectId))],
    ['Where', event?.culprit ?? issue?.culprit],
    ['Address', event?.url ?? reportOf(fact)?.url],
    ['Release', releaseOf(fact)],
    ['Environment', environmentOf(fact)],
    [PERSON_ROW, event?.user?.email ?? event?.user?.id ?? reportOf(fact)?.email],
    ['Priority', issue?.priority],
    ['Events', issue === null ? null : String(issue.timesSeen)],
  ]
  return rows.flatMap(([name, value]) => (value ? [{ name, value }] : []))
}

const blocksOf = (fact: Happening, surroundings: Surroundings): Block[] => {
  const blocks: Block[] = []
  if (fact.kind === 'report_received') {
    const { message, name } = fact.data.report
    blocks.push({ kind: 'quote', text: cut(message, 280), by: name ?? 'Somebody' })
  } else if (fact.kind === 'reporter_replied') {
    blocks.push({ kind: 'quote', text: fact.data.text, by: fact.data.name ?? 'Somebody' })
  } else {
    const text = eventOf(fact)?.title ?? issueOf(fact)?.title
    if (text !== undefined) blocks.push({ kind: 'code', text })
  }
  blocks.push({ kind: 'facts', rows: rowsOf(fact, surroundings) })
  const said = fact.kind === 'report_received' ? null : surroundings.said(fact.issueId)
  if (said !== null) {
    blocks.push({ kind: 'text', text: said.people === 1 ? '1 person told us:' : `${said.people} people told us:` })
    blocks.push({ kind: 'quote', text: said.first, by: said.by })
  }
  return blocks
}

export const pathOf = (fact: Noted, surroundings: Pick<Surroundings, 'organization'>): string => {
  const base = `/organizations/${surroundings.organization(fact.organizationId)}`
  // What is deleted has no page.
  if (fact.kind === 'issue_deleted') return `${base}/issues`
  if (fact.kind === 'issue_merged') return `${base}/issues/${fact.data.parentId}`
  if (fact.reportId !== null) return `${base}/feedback?report=${fact.reportId}`
  if (fact.issueId !== null) return `${base}/issues/${fact.issueId}`
  return fact.kind === 'release_first_seen'
    ? `${base}/issues?query=${encodeURIComponent(`release:"${fact.data.version.replaceAll('"', '')}"`)}`
    : `${base}/issues`
}

/** All messages of one thing are one thread. */
export const threadOf = (fact: Noted): string => {
  if (fact.reportId !== null) return `report:${fact.reportId}`
  if (fact.issueId !== null) return `issue:${fact.issueId}`
  return `fact:${fact.id}`
}

export const levelOf = (fact: Noted): Message['level'] => {
  const level = eventOf(fact)?.level ?? issueOf(fact)?.level
  if (fact.kind === 'issue_resolved' || fact.kind === 'issue_archived') return 'ok'
  if (level === 'fatal' || level === 'error' || level === 'warning') return level
  return 'info'
}

export interface Saying {
  readonly fact: Happening
  readonly rule: AlertRule
  readonly stage: Message['stage']
  readonly surroundings: Surroundings
  /** Path of the page on which the rule can be silenced. */
  readonly snooze: string
}

export const messageOf = ({ fact, rule, snooze, stage, surroundings }: Saying): Message => {
  const path = pathOf(fact, surroundings)
  const base = `/organizations/${surroundings.organization(fact.organizationId)}`
  return {
    kind: KINDS[fact.kind].kind,
    level: levelOf(fact),
    headline: headlineOf(fact, surroundings),
    blocks: blocksOf(fact, surroundings),
    actions: [
      { label: fact.reportId === null ? 'Open' : 'Reply', path },
      { label: 'Snooze the alert', path: snooze },
      { label: 'Why', path: `${base}/alerts/${rule.id}` },
    ],
    thread: threadOf(fact),
    stage,
    reason: `The alert “${rule.draft.name}” watches this.`,
    about: aboutOf(fact, { id: rule.id, name: rule.draft.name }, surroundings),
  }
}

/** The same for machines. */
export const aboutOf = (
  fact: Noted,
  rule: { readonly id: number; readonly name: string },
  surroundings: Pick<Surroundings, 'project'>,
): Subject => {
  const issue = issueOf(fact)
  const project = surroundings.project(fact.projectId)
  return {
    ...(issue === null || fact.issueId === null
      ? {}
      : {
          issue: {
            id: fact.issueId,
            shortId: formatShortId(project?.slug ?? '', issue.number),
            title: issue.title,
            culprit: issue.culprit,
            level: issue.level,
            status: issue.status,
            platform: issue.platform,
            count: issue.timesSeen,
            firstSeen: issue.firstSeen,
            lastSeen: issue.lastSeen,
          },
        }),
    ...(project === null ? {} : { project }),
    ...(eventOf(fact) === null ? {} : { event: { ...eventOf(fact) } }),
    rule,
    ...(fact.kind === 'report_received' && fact.reportId !== null
      ? { report: { id: fact.reportId, message: fact.data.report.message } }
      : {}),
  }
}
