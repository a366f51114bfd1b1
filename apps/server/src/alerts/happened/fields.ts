import { meantCategories } from '../../issues/index.ts'
import { environmentOf, eventOf, issueOf, releaseOf, reportOf, type Happening } from './happening.ts'

/** What a rule's search can look at when something happens: what was noted of it, and nothing that would have to be asked. */

/** What is asked, with what of the surroundings may be meant. */
export interface Asked {
  readonly fact: Happening
  /** The newest release of the project when it happened; null when there was none. */
  readonly latestRelease: string | null
}

/** Null: nothing is known of it. */
type Read<Value> = (asked: Asked) => Value | null

export type RuleField =
  /** '' where it is known that there is none. */
  | {
      readonly kind: 'text'
      readonly of: Read<string>
      readonly ignoreCase?: true
      readonly values?: readonly string[]
      /** What a word of a search stands for. */
      readonly meant?: (word: string) => readonly string[]
    }
  | { readonly kind: 'words'; readonly of: Read<readonly string[]> }
  | { readonly kind: 'number'; readonly of: Read<number> }
  | { readonly kind: 'time'; readonly of: Read<number>; readonly isAge: boolean }
  | { readonly kind: 'flag'; readonly of: Read<boolean> }
  | { readonly kind: 'release'; readonly of: Read<string> }
  | { readonly kind: 'state' }
  | { readonly kind: 'assignee' }
  | { readonly kind: 'project' }

const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug']
const PRIORITIES = ['high', 'medium', 'low']

const ofEvent =
  (read: (event: NonNullable<ReturnType<typeof eventOf>>) => string | null): Read<string> =>
  ({ fact }) => {
    const event = eventOf(fact)
    return event === null ? null : (read(event) ?? '')
  }

const ofIssue =
  <Value>(read: (issue: NonNullable<ReturnType<typeof issueOf>>) => Value): Read<Value> =>
  ({ fact }) => {
    const issue = issueOf(fact)
    return issue === null ? null : read(issue)
  }

/** Of the event; of an issue to which something else happened, as it was then. */
const ofEither =
  (name: 'level' | 'title' | 'culprit' | 'platform'): Read<string> =>
  ({ fact }) =>
    (eventOf(fact) ?? issueOf(fact))?.[name] ?? null

const ofEventOrReport =
  (
    read: (event: NonNullable<ReturnType<typeof eventOf>>) => string | null,
    readReport: (report: NonNullable<ReturnType<typeof reportOf>>) => string | null,
  ): Read<string> =>
  ({ fact }) => {
    const event = eventOf(fact)
    if (event !== null) return read(event) ?? ''
    const report = reportOf(fact)
    return report === null ? null : (readReport(report) ?? '')
  }

/** What free words are looked for in. */
export const wordsOf: Read<readonly string[]> = ({ fact }) => {
  if (fact.kind === 'reporter_replied') return [fact.data.text, fact.data.message]
  const report = reportOf(fact)
  if (report !== null) return [report.message]
  const event = eventOf(fact)
  if (event !== null) return [event.title, event.errorValue ?? '', event.culprit]
  const issue = issueOf(fact)
  return issue === null ? null : [issue.title, issue.culprit]
}

const url = ofEventOrReport(
  (event) => event.url,
  (report) => report.url,
)
const email = ofEventOrReport(
  (event) => event.user?.email ?? null,
  (report) => report.email,
)

const unhandled: Read<boolean> = ({ fact }) => (eventOf(fact) ?? issueOf(fact))?.isUnhandled ?? null

const FIELDS: ReadonlyMap<string, RuleField> = new Map<string, RuleField>([
  ['is', { kind: 'state' }],
  ['status', { kind: 'state' }],
  ['assigned', { kind: 'assignee' }],
  ['project', { kind: 'project' }],
  ['project.name', { kind: 'project' }],
  ['project.id', { kind: 'number', of: ({ fact }) => fact.projectId }],
  ['issue.id', { kind: 'number', of: ({ fact }) => fact.issueId }],
  ['issue.priority', { kind: 'text', of: ofIssue((issue) => issue.priority), values: PRIORITIES }],
  ['issue.category', { kind: 'text', of: ofIssue((issue) => issue.category), meant: meantCategories }],
  ['issue.type', { kind: 'text', of: ofIssue((issue) => issue.type) }],
  ['timesSeen', { kind: 'number', of: ofIssue((issue) => issue.timesSeen) }],
  ['firstSeen', { kind: 'time', of: ofIssue((issue) => issue.firstSeen), isAge: false }],
  ['lastSeen', { kind: 'time', of: ofIssue((issue) => issue.lastSeen), isAge: false }],
  ['age', { kind: 'time', of: ofIssue((issue) => issue.firstSeen), isAge: true }],
  ['firstRelease', { kind: 'release', of: ofIssue((issue) => issue.firstRelease ?? '') }],
  ['release', { kind: 'release', of: ({ fact }) => releaseOf(fact) }],
  ['environment', { kind: 'text', of: ({ fact }) => environmentOf(fact) }],
  ['level', { kind: 'text', of: ofEither('level'), values: LEVELS }],
  ['logger', { kind: 'text', of: ofEvent((event) => event.logger) }],
  ['platform', { kind: 'text', of: ofEither('platform') }],
  ['platform.name', { kind: 'text', of: ofEither('platform') }],
  ['transaction', { kind: 'text', of: ofEvent((event) => event.transaction) }],
  ['event.type', { kind: 'text', of: ofEvent((event) => event.type) }],
  ['title', { kind: 'text', of: ofEither('title'), ignoreCase: true }],
  ['culprit', { kind: 'text', of: ofEither('culprit') }],
  ['message', { kind: 'words', of: wordsOf }],
  ['user.id', { kind: 'text', of: ofEvent((event) => event.user?.id ?? null) }],
  ['user.email', { kind: 'text', of: email, ignoreCase: true }],
  ['url', { kind: 'text', of: url }],
  ['http.url', { kind: 'text', of: url }],
  ['error.type', { kind: 'text', of: ofEvent((event) => event.errorType) }],
  ['error.value', { kind: 'text', of: ofEvent((event) => event.errorValue), ignoreCase: true }],
  ['error.unhandled', { kind: 'flag', of: unhandled }],
  [
    'error.handled',
    {
      kind: 'flag',
      of: (asked) => {
        const is = unhandled(asked)
        return is === null ? null : !is
      },
    },
  ],
  ['id', { kind: 'text', of: ofEvent((event) => event.eventId) }],
  ['timestamp', { kind: 'time', of: ({ fact }) => eventOf(fact)?.at ?? fact.receivedAt, isAge: false }],
])

/** Other names that searches for issues know. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['assigned_to', 'assigned'],
  ['assigned_or_suggested', 'assigned'],
  ['times_seen', 'timesSeen'],
  ['first_seen', 'firstSeen'],
  ['first-seen', 'firstSeen'],
  ['last_seen', 'lastSeen'],
  ['last-seen', 'lastSeen'],
  ['first-release', 'firstRelease'],
  ['first_release', 'firstRelease'],
  ['priority', 'issue.priority'],
])

export const ruleField = (name: string): RuleField | undefined => FIELDS.get(ALIASES.get(name) ?? name)

export const RULE_FIELD_NAMES: readonly string[] = [...FIELDS.keys()]

/** Values of a tag; null when nothing is known of it: it may be among those that there was no room for. */
export const tagOf = ({ fact }: Asked, name: string): readonly string[] | null => {
  const from = eventOf(fact) ?? reportOf(fact)
  if (from === null) return null
  const values = from.tags.flatMap(([key, value]) => (key === name ? [value] : []))
  if (values.length > 0) return values
  if ('browser' in from && (name === 'browser' || name === 'os')) return [from[name] ?? '']
  return from.tagsLeftOut > 0 ? null : []
}
