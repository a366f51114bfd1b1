import type { Block, Message } from '../../channels/index.ts'
import type { Notice } from '../../notices/index.ts'
import type { TakenLine } from '../ledger/groups.ts'
import type { HeldBack } from '../ledger/held-back.ts'
import { worstLevel } from './levels.ts'

/** What is said of firings that are told together, or were held back. */

export interface NamedRule {
  readonly id: number
  readonly name: string
  /** Of its organisation. */
  readonly slug: string
  /** It has no page any more. */
  readonly isDeleted: boolean
}

/** What several of a kind are called. */
const WORDS: Partial<Readonly<Record<Message['kind'], readonly [one: string, many: string]>>> = {
  new: ['new issue', 'new issues'],
  regression: ['issue that came back', 'issues that came back'],
  escalation: ['issue that got worse', 'issues that got worse'],
  feedback: ['report', 'reports'],
  release: ['release', 'releases'],
  assignment: ['assignment', 'assignments'],
  spike: ['alert', 'alerts'],
  over: ['is over', 'are over'],
}
const OTHERS = ['alert', 'alerts'] as const

const NAMED = 3
const LINES_OF_A_LIST = 50

const distinct = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text !== ''))]

/** `3 more new issues in shop: OrderError, TypeError, PriceError`. */
export const headlineOfMany = (lines: readonly Pick<TakenLine, 'kind' | 'name' | 'place'>[], count: number): string => {
  const [one, many] = wordsOf(lines)
  const place = placeOf(lines)
  const where = place === '' ? '' : ` in ${place}`
  const names = distinct(lines.map(({ name }) => name))
  const some = names.slice(0, NAMED).join(', ')
  const others = names.length > NAMED ? ', …' : ''
  return `${count} more ${count === 1 ? one : many}${where}${some === '' ? '' : `: ${some}${others}`}`
}

/** A list is cut where it is long: each part is one of its own. */
const listsOf = (lines: readonly Pick<TakenLine, 'path' | 'text'>[], unnamed: number): Block[] => {
  const items = lines.map(({ path, text }) => ({ text, path }))
  const parts: Block[] = []
  for (let start = 0; start < items.length; start += LINES_OF_A_LIST) {
    parts.push({ kind: 'list', items: items.slice(start, start + LINES_OF_A_LIST) })
  }
  return unnamed > 0 ? [...parts, { kind: 'text', text: `and ${unnamed} more` }] : parts
}

const alertPath = ({ id, isDeleted, slug }: NamedRule): string =>
  isDeleted ? `/organizations/${slug}/alerts` : `/organizations/${slug}/alerts/${id}`

const reasonOf = (rules: readonly NamedRule[]): string => {
  const names = distinct(rules.map(({ name }) => `“${name}”`))
  if (names.length > 1) return `The alerts ${names.slice(0, NAMED).join(', ')} watch this.`
  return `The alert ${names[0] ?? ''} watches this.`
}

const OF_ONE_THING = /\/issues\/\d+$|[?&]report=\d+$/

/** One line for each issue or report, the newest of it. Where several lead to one list, each says something else. */
const once = (lines: readonly TakenLine[]): readonly TakenLine[] => [
  ...new Map(
    lines.map((line) => [OF_ONE_THING.test(line.path) ? line.path : `${line.path} ${line.incidentId}`, line]),
  ).values(),
]

const wordsOf = (lines: readonly Pick<TakenLine, 'kind'>[]): readonly [one: string, many: string] => {
  const kinds = new Set(lines.map(({ kind }) => kind))
  const [kind] = kinds
  return (kinds.size === 1 && kind !== undefined ? WORDS[kind] : undefined) ?? OTHERS
}

const placeOf = (lines: readonly Pick<TakenLine, 'place'>[]): string => {
  const [place, ...places] = distinct(lines.map(({ place: of }) => of))
  return place === undefined || places.length > 0 ? '' : place
}

const REPORT = /[?&]report=(\d+)$/

/** The same for an inbox, in which each thing stands by itself. */
export const thingsOf = (lines: readonly TakenLine[], unnamed: number): NonNullable<Notice['many']> => {
  const named = once(lines)
  return {
    words: wordsOf(named),
    place: placeOf(named),
    things: named.map(({ level, name, path, text }) => {
      const [, report] = REPORT.exec(path) ?? []
      return { level, name, path, text, reportId: report === undefined ? null : Number(report) }
    }),
    unnamed,
  }
}

/** @param thread of its own: it stands beside the messages that were sent before, and takes the place of none */
export const summaryMessage = (
  lines: readonly TakenLine[],
  {
    rules,
    thread,
    unnamed,
  }: { readonly rules: readonly NamedRule[]; readonly unnamed: number; readonly thread: string },
): Message => {
  const named = once(lines)
  const [rule] = rules
  const kinds = new Set(named.map(({ kind }) => kind))
  const [kind] = kinds
  return {
    kind: kinds.size === 1 && kind !== undefined ? kind : 'other',
    level: worstLevel(named.map(({ level }) => level)),
    headline: headlineOfMany(named, named.length + unnamed),
    blocks: listsOf(named, unnamed),
    actions: [{ label: 'Open', path: rule === undefined ? '/' : alertPath(rule) }],
    thread,
    stage: 'single',
    reason: reasonOf(rules),
  }
}

export const heldBackMessage = (rule: NamedRule, { headline, held, level, told }: HeldBack): Message => {
  const what = held === 1 ? '1 message' : `${held} messages`
  return {
    kind: 'other',
    level,
    headline: `Held back ${what} of “${rule.name}”${told > 0 ? ' since' : ''}, the worst: ${headline}`,
    blocks: [
      {
        kind: 'text',
        text: 'An alert says so much in an hour and no more. Its page lists all that it would have said.',
      },
    ],
    actions: [{ label: 'Open', path: alertPath(rule) }],
    thread: `alert:${rule.id}:held`,
    stage: 'single',
    reason: `The alert “${rule.name}” said as much as it may in an hour.`,
  }
}
