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
  over: ['is over', 'are over'],
}
const OTHERS: readonly [one: string, many: string] = ['alert', 'alerts']

const NAMED = 3
const LINES_OF_A_LIST = 50

const distinct = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text !== ''))]

/** `: OrderError, TypeError, PriceError, …`. */
export const namesOf = (lines: readonly Pick<TakenLine, 'name'>[]): string => {
  const names = distinct(lines.map(({ name }) => name))
  if (names.length === 0) return ''
  return `: ${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ', …' : ''}`
}

const RELEASE_CHARACTERS = 60

/** `3 more new issues in Shop since shop@1.4.0: OrderError, TypeError, PriceError`; alerts say of which rule they are. */
export const headlineOfMany = (
  lines: readonly Pick<TakenLine, 'kind' | 'name' | 'place'>[],
  count: number,
  { release, rules }: Pick<Summarised, 'release' | 'rules'>,
): string => {
  const words = wordsOf(lines)
  const [rule, ...others] = distinct(rules.map(({ name }) => name))
  const of = words === OTHERS && rule !== undefined && others.length === 0 ? ` of “${rule}”` : ''
  const place = placeOf(lines)
  const where = place === '' ? '' : ` in ${place}`
  const since = release === null ? '' : ` since ${release.slice(0, RELEASE_CHARACTERS)}`
  return `${count} more ${words[count === 1 ? 0 : 1]}${of}${where}${since}${namesOf(lines)}`
}

/** What the head of a list says of all that stands in it, where it is all of a kind; otherwise each says it. */
const SAID_BY_HEAD: Partial<Readonly<Record<Message['kind'], string>>> = { new: 'new', regression: 'came back' }

/** Lines as they are listed: each says what the head says not. */
const itemsOf = (
  lines: readonly TakenLine[],
  { hasHead }: { readonly hasHead: boolean },
): readonly { readonly text: string; readonly path: string }[] => {
  const isOfOneKind = hasHead && new Set(lines.map(({ kind }) => kind)).size === 1
  const isOfOnePlace = hasHead && placeOf(lines) !== ''
  return lines.map(({ kind, path, place, text }) => {
    const more = distinct([isOfOneKind ? '' : (SAID_BY_HEAD[kind] ?? ''), isOfOnePlace ? '' : place])
    return { text: more.length === 0 ? text : `${text} (${more.join(', ')})`, path }
  })
}

/** A list is cut where it is long: each part is one of its own. */
export const listsOf = (lines: readonly TakenLine[], unnamed: number): Block[] => {
  const items = itemsOf(lines, { hasHead: true })
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

export const placeOf = (lines: readonly Pick<TakenLine, 'place'>[]): string => {
  const [place, ...places] = distinct(lines.map(({ place: of }) => of))
  return place === undefined || places.length > 0 ? '' : place
}

const REPORT = /[?&]report=(\d+)$/

/** The same for an inbox, in which each thing stands by itself. */
export const thingsOf = (lines: readonly TakenLine[], unnamed: number): NonNullable<Notice['many']> => {
  const named = once(lines)
  // What stands alone has no head: it is all that is said.
  const items = itemsOf(named, { hasHead: named.length + unnamed > 1 })
  return {
    words: wordsOf(named),
    place: placeOf(named),
    things: named.map(({ level, name, path, text }, at) => {
      const [, report] = REPORT.exec(path) ?? []
      return {
        level,
        name,
        path,
        text: items[at]?.text ?? text,
        reportId: report === undefined ? null : Number(report),
      }
    }),
    unnamed,
  }
}

export interface Summarised {
  readonly rules: readonly NamedRule[]
  readonly unnamed: number
  /** Of its own, where it stands beside the messages that were sent before; otherwise that of the one that it answers. */
  readonly thread: string
  /** In which all of it was seen first; null where that is not so, or not known. */
  readonly release: string | null
}

export const summaryMessage = (
  lines: readonly TakenLine[],
  { release, rules, thread, unnamed }: Summarised,
): Message => {
  const named = once(lines)
  const [rule] = rules
  const kinds = new Set(named.map(({ kind }) => kind))
  const [kind] = kinds
  return {
    kind: kinds.size === 1 && kind !== undefined ? kind : 'other',
    level: worstLevel(named.map(({ level }) => level)),
    headline: headlineOfMany(named, named.length + unnamed, { release, rules }),
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
