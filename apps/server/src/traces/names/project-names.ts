import { HOUR_MS } from '../../lib/durations.ts'
import { cleanTransactionName } from '../../event/index.ts'
import { LIMITS } from '../limits.ts'
import { cut, UNLABELED, type SentName } from '../read/names.ts'
import { NameTree, type LearnedRule } from './name-tree.ts'
import { applyPattern, byPrecision, METHOD, readPattern, type NamePattern } from './pattern.ts'

/** What names are called that find no place any more. */
export const OTHER = '<other>'

export interface NameExample {
  readonly sent: string
  readonly name: string
}

/** How often names were given for one reason, and which were the last. Times are milliseconds since the epoch. */
export interface NameUse {
  readonly times: number
  readonly firstAt: number | null
  readonly lastAt: number | null
  readonly examples: readonly NameExample[]
}

export const UNUSED: NameUse = { times: 0, firstAt: null, lastAt: null, examples: [] }

/** What is known of all names of a project, besides its rules. */
export interface NamesSeen {
  /** Parts of names that have a place. */
  readonly places: number
  /** Names of which a part looked like an id. */
  readonly form: NameUse
  /** Names that found no place. */
  readonly other: NameUse
}

export interface NameRule {
  readonly pattern: string
  /** A member of the project made it, or it was learned. */
  readonly isOwn: boolean
  /** Learned, but nobody wants it. */
  readonly isRefused: boolean
}

export interface StoredRule extends NameRule {
  readonly use: NameUse
}

/** What is stored next. */
export interface ChangedNames {
  readonly learned: readonly string[]
  readonly uses: readonly (readonly [pattern: string, use: NameUse])[]
  readonly seen: NamesSeen
  /** Null when it did not change. */
  readonly tree: string | null
}

export interface NamingContext {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Of transactions is learned, and they are counted: not of spans below them, nor of their profiles. */
  readonly isTransaction: boolean
}

const used = (use: NameUse, example: NameExample, at: number): NameUse => ({
  times: use.times + 1,
  firstAt: use.firstAt ?? at,
  lastAt: Math.max(use.lastAt ?? 0, at),
  examples: use.examples.some(({ sent }) => sent === example.sent)
    ? use.examples
    : [...use.examples, example].slice(-LIMITS.NAME_EXAMPLES),
})

const patternsOf = (rules: readonly string[]): NamePattern[] =>
  rules
    .flatMap((pattern) => {
      const read = readPattern(pattern)
      return read.ok ? [read.value] : []
    })
    .toSorted(byPrecision)

interface Named {
  readonly name: string
  readonly pattern: string
}

const firstOf = (
  patterns: readonly NamePattern[],
  path: readonly string[],
  mayName: (name: string) => boolean = () => true,
): Named | null => {
  for (const pattern of patterns) {
    const name = applyPattern(pattern, path)
    if (name !== null && mayName(name)) return { name, pattern: pattern.text }
  }
  return null
}

/**
 * How the transactions of one project are called: by the rules of its members; else, when a name was taken from an address,
 * by its form and by what was learned of addresses like it. What finds no place is `<other>`.
 */
export class ProjectNames {
  readonly #tree: NameTree
  #own: readonly NamePattern[] = []
  #learned: readonly NamePattern[] = []
  /** Every pattern of which there is a rule, whatever became of it; and how many of them were learned. */
  #known = new Set<string>()
  #learnedCount = 0
  /** Learned, and not yet found among the stored rules. */
  readonly #fresh = new Set<string>()
  readonly #uses: Map<string, NameUse>
  #form: NameUse
  #other: NameUse
  /** Patterns that were used since uses were stored. */
  readonly #used = new Set<string>()
  #isChanged = false
  #savedAt = -Infinity
  #savedTree: number

  constructor({ rules, seen, tree, at }: StoredNames) {
    const hour = Math.floor(at / HOUR_MS)
    this.#tree = tree === null ? new NameTree(hour) : NameTree.ofText(tree, hour)
    this.#savedTree = this.#tree.revision
    this.#uses = new Map(rules.map(({ pattern, use }) => [pattern, use]))
    this.#form = seen?.form ?? UNUSED
    this.#other = seen?.other ?? UNUSED
    this.setRules(rules)
  }

  get places(): number {
    return this.#tree.places
  }

  /** As they are stored by now. */
  setRules(rules: readonly NameRule[]): void {
    this.#known = new Set(rules.map(({ pattern }) => pattern))
    for (const pattern of this.#fresh) if (this.#known.has(pattern)) this.#fresh.delete(pattern)
    for (const pattern of this.#fresh) this.#known.add(pattern)
    for (const pattern of this.#uses.keys()) if (!this.#known.has(pattern)) this.#uses.delete(pattern)
    const learned = rules.filter(({ isOwn }) => !isOwn)
    this.#learnedCount = learned.length + this.#fresh.size
    this.#own = patternsOf(rules.flatMap(({ isOwn, pattern }) => (isOwn ? [pattern] : [])))
    this.#learned = patternsOf([
      ...learned.flatMap(({ isRefused, pattern }) => (isRefused ? [] : [pattern])),
      ...this.#fresh,
    ])
  }

  nameOf(sent: SentName, { at, isTransaction }: NamingContext): string {
    if (sent.text === '') return UNLABELED
    const method = METHOD.exec(sent.text)?.[0] ?? ''
    const path = sent.text.slice(method.length)
    const own = firstOf(this.#own, path.split('/'))
    const whole = cut(method + (own?.name ?? path))
    const hour = Math.floor(at / HOUR_MS)
    // What spans below a transaction say of its source is not always known, so a name may be a route.
    if (own !== null || !sent.isAddress || (!isTransaction && this.#tree.hasWhole(whole))) {
      // However many names strangers make up: of a rule that keeps no rest there are no more than a few.
      const isFew = own !== null && !own.pattern.endsWith('**')
      const fits = isFew || (isTransaction ? this.#tree.addWhole(whole, hour) : this.#tree.fitsWhole(whole))
      if (isTransaction) this.#note({ sent, name: whole, because: own?.pattern ?? null, fits, at })
      return fits ? whole : OTHER
    }
    const byForm = cleanTransactionName(path)
    const parts = byForm.split('/')
    let rule = this.#byLearned(parts, method)
    const named = rule?.name.split('/') ?? parts
    if (!isTransaction) return this.#tree.fits(named) ? cut(method + (rule?.name ?? byForm)) : OTHER
    const { fits, learned } = this.#tree.addPath(named, hour, (pattern) => this.#mayLearn(pattern))
    if (learned.length > 0) {
      this.#learn(learned, method)
      rule = this.#byLearned(parts, method) ?? rule
    }
    const name = cut(method + (rule?.name ?? byForm))
    this.#note({ sent, name, because: rule?.pattern ?? (byForm === path ? null : FORM), fits, at })
    return fits ? name : OTHER
  }

  /** What is to be stored by now: a new rule at once, the rest from time to time; null when nothing is. */
  takeChanges(now: number): ChangedNames | null {
    const isTreeChanged = this.#tree.revision !== this.#savedTree
    if (!this.#isChanged && !isTreeChanged) return null
    if (this.#fresh.size === 0 && now - this.#savedAt < LIMITS.NAME_SAVE_MS + this.#tree.places) return null
    const uses = [...this.#used].flatMap((pattern): ChangedNames['uses'] => {
      const use = this.#uses.get(pattern)
      return use === undefined ? [] : [[pattern, use]]
    })
    this.#used.clear()
    this.#isChanged = false
    this.#savedAt = now
    this.#savedTree = this.#tree.revision
    return {
      learned: [...this.#fresh],
      uses,
      seen: { places: this.#tree.places, form: this.#form, other: this.#other },
      tree: isTreeChanged ? this.#tree.toText() : null,
    }
  }

  /** What an application calls so by itself, and parts that came often, are no ids. */
  #byLearned(parts: readonly string[], method: string): Named | null {
    const rule = firstOf(this.#learned, parts, (name) => !this.#tree.keeps(parts, name.split('/')))
    return rule !== null && this.#tree.hasWhole(cut(method + parts.join('/'))) ? null : rule
  }

  #mayLearn(rule: string): boolean {
    return !this.#known.has(rule) && this.#learnedCount < LIMITS.NAME_RULES_LEARNED && readPattern(rule).ok
  }

  #learn(rules: readonly LearnedRule[], method: string): void {
    const patterns = rules.map(({ pattern }) => pattern)
    for (const { pattern, paths } of rules) {
      this.#fresh.add(pattern)
      this.#known.add(pattern)
      const examples = paths.map((path) => {
        const name = firstOf(patternsOf([pattern]), path.split('/'))?.name ?? path
        return { sent: cut(method + path), name: cut(method + name) }
      })
      this.#uses.set(pattern, { ...UNUSED, examples })
      this.#used.add(pattern)
    }
    this.#learnedCount += rules.length
    this.#learned = patternsOf([...this.#learned.map(({ text }) => text), ...patterns])
    this.#isChanged = true
  }

  /** Counts a name for what made it so. */
  #note({ at, because, fits, name, sent }: Naming): void {
    if (fits && because === null) return
    const example = { sent: cut(sent.text), name }
    this.#isChanged = true
    if (!fits) this.#other = used(this.#other, example, at)
    else if (because === FORM) this.#form = used(this.#form, example, at)
    else if (because !== null) {
      this.#uses.set(because, used(this.#uses.get(because) ?? UNUSED, example, at))
      this.#used.add(because)
    }
  }
}

interface StoredNames {
  readonly rules: readonly StoredRule[]
  readonly seen: NamesSeen | null
  readonly tree: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
}

interface Naming {
  readonly sent: SentName
  readonly name: string
  /** The rule that made it, or `FORM`; null when it is as it was sent. */
  readonly because: string | null
  /** There is a place for it. */
  readonly fits: boolean
  readonly at: number
}

/** No pattern: its parts looked like ids. */
const FORM = ''
