import { err, ok, type Result } from '../lib/result.ts'
import { isSearchKey } from '../issues/index.ts'
import { isWildcard, parseSearch, parseTimeRange, textOf } from '../search/index.ts'
import type { FieldTerm, SearchNode, SearchTerm, TimeRange } from '../search/index.ts'
import type { InboxSelection } from './inbox.store.ts'

/**
 * Searches for issues that mean reports: Sentry keeps what visitors say among its issues, as those of the category
 * `feedback`, and its clients ask for them so.
 */
export interface ReportSearch {
  readonly mailbox: InboxSelection['mailbox']
  /** Words and phrases; all must occur. */
  readonly words: readonly string[]
  /** `me`, an e-mail, `#team`; null for nobody; absent: whoever. */
  readonly assigned?: string | null
  /** Slugs or ids, one of which it has to be, of each list. */
  readonly projects: readonly (readonly string[])[]
  readonly environments?: readonly string[]
  readonly tags: readonly (readonly [string, string])[]
  /** All of them must hold. */
  readonly arrived: readonly TimeRange[]
}

/** What `is:` asks of an issue, and where such reports lie. */
const MAILBOXES: ReadonlyMap<string, InboxSelection['mailbox']> = new Map([
  ['unresolved', 'open'],
  ['resolved', 'resolved'],
  ['ignored', 'put-away'],
  ['archived', 'put-away'],
  ['muted', 'put-away'],
])

const TIMES: ReadonlySet<string> = new Set(['firstSeen', 'lastSeen', 'age', 'first_seen', 'last_seen'])
const CATEGORIES: ReadonlySet<string> = new Set(['issue.category', 'issue.type'])
const ASSIGNED: ReadonlySet<string> = new Set(['assigned', 'assigned_to', 'assigned_or_suggested'])
const PROJECT: ReadonlySet<string> = new Set(['project', 'project.name'])
const STATUS: ReadonlySet<string> = new Set(['is', 'status'])

const isKnown = (name: string): boolean =>
  ASSIGNED.has(name) || PROJECT.has(name) || STATUS.has(name) || name === 'environment'

const KNOWN = 'is, assigned, project, environment, firstSeen, age, tags[name] and words'

const isCategory = (node: SearchNode): boolean =>
  node.kind === 'field' &&
  !node.key.tag &&
  CATEGORIES.has(node.key.name) &&
  !node.negated &&
  node.values.length === 1 &&
  node.values.every((value) => textOf(value) === 'feedback')

/** The terms that must all hold. An OR stays one of them. */
const termsOf = (node: SearchNode): readonly SearchNode[] =>
  node.kind === 'and' ? node.children.flatMap(termsOf) : [node]

/** Whether a search for issues is one for reports. One that cannot be read is not. */
export const asksForReports = (query: string): boolean => {
  // Most searches never name it, and are spared the reading.
  if (!query.includes('feedback')) return false
  const parsed = parseSearch(query, isSearchKey)
  return parsed.ok && parsed.value.root !== null && termsOf(parsed.value.root).some(isCategory)
}

/** @returns a sentence for the caller where reports do not have what is asked for */
export const readReportSearch = (query: string, now: number): Result<ReportSearch, string> => {
  const parsed = parseSearch(query, isSearchKey)
  if (!parsed.ok) return err(at(parsed.error.message, parsed.error.position))
  const { root } = parsed.value
  const found = new Found()
  for (const term of root === null ? [] : termsOf(root)) {
    if (isCategory(term)) continue
    const problem = 'children' in term ? 'OR cannot be asked of what visitors say. Search twice.' : found.add(term, now)
    if (problem !== null) return err(at(problem, 'children' in term ? 0 : term.position))
  }
  return ok(found)
}

const at = (message: string, position: number): string => `${message} (at character ${position + 1})`

/** What the terms ask for together. `add` answers what is wrong with one. */
class Found implements ReportSearch {
  mailbox: InboxSelection['mailbox'] = 'all'
  readonly words: string[] = []
  assigned?: string | null
  readonly projects: string[][] = []
  environments?: string[]
  readonly tags: [string, string][] = []
  readonly arrived: TimeRange[] = []

  add(term: SearchTerm, now: number): string | null {
    if (term.kind === 'text') {
      const [word = '', another] = term.value.filter((part) => part !== '')
      if (another !== undefined) return 'A star inside of words cannot be asked of what visitors say.'
      this.words.push(word)
      return null
    }
    const { name } = term.key
    if (term.negated) return `What visitors say cannot be searched for what it is not. Leave out !${name}.`
    if (term.kind === 'has') return this.unknown(`has:${name}`)
    return this.field(term, now)
  }

  private field(term: FieldTerm, now: number): string | null {
    const { name, tag } = term.key
    const texts = term.values.map(textOf)
    const [text = ''] = texts
    if (!tag && TIMES.has(name)) return this.time(term, text, now)
    const asTag = tag || !isSearchKey(name)
    if (!asTag && !isKnown(name)) return this.unknown(`"${name}"`)
    if (term.operator !== '=' || term.values.some(isWildcard)) {
      return `"${name}" of what visitors say is asked for whole: ${name}:value.`
    }
    if (texts.length === 0) return `"${name}" has no values, so nothing can match.`
    if (texts.includes('')) return `"${name}" of what visitors say cannot be asked for having none.`
    if (!asTag && PROJECT.has(name)) this.projects.push(texts)
    else if (!asTag && name === 'environment') {
      const before = this.environments
      this.environments = before === undefined ? texts : texts.filter((one) => before.includes(one))
    } else if (texts.length > 1) return `Of what visitors say, "${name}" is asked for one value: ${name}:value.`
    else if (asTag) this.tags.push([name, text])
    else return STATUS.has(name) ? this.status(text.toLowerCase()) : this.assignee(text)
    return null
  }

  private unknown(what: string): string {
    return `${what} cannot be asked of what visitors say. Known are: ${KNOWN}.`
  }

  private time(term: FieldTerm, text: string, now: number): string | null {
    const range = term.values.length === 1 ? parseTimeRange(term.operator, text, now, term.key.name === 'age') : null
    if (range === null) return `"${text}" is no time. Write -24h or 2026-01-31.`
    this.arrived.push(range)
    return null
  }

  private status(text: string): string | null {
    if (text === 'unassigned') return this.assignee('none')
    const mailbox = MAILBOXES.get(text)
    if (mailbox === undefined) {
      return `"is:${text}" cannot be asked of what visitors say. Use one of: ${[...MAILBOXES.keys(), 'unassigned'].join(', ')}.`
    }
    if (this.mailbox !== 'all' && this.mailbox !== mailbox) return 'A report has one status. Ask for one.'
    this.mailbox = mailbox
    return null
  }

  private assignee(text: string): string | null {
    const assigned = text === 'none' ? null : text
    if (this.assigned !== undefined && this.assigned !== assigned) return 'A report is assigned to one. Ask for one.'
    this.assigned = assigned
    return null
  }
}
