import type { Course } from './course.ts'
import { isPlain } from './ledger/courses.ts'
import { groupKey } from './found.ts'
import type { Outcome, Repeated } from './outcome.ts'
import { groupText } from './say.ts'

/** What was said last, and how often it was so since. */
interface Said {
  readonly text: string
  readonly ruleId: number
  /** The outcome that says so and is kept. */
  readonly kept: Repeated['kept']
  readonly times: number
  /** The last minute in which it was said. */
  readonly until: number
}

/** How rules and their groups stand, by rule and group key: those that are not quiet. */
export class Standings {
  readonly #rules = new Map<number, Map<string, Course>>()
  /** What was said last of each, to tell what is new. Of all quiet groups of a rule there is one: each says the same. */
  readonly #said = new Map<string, Said>()
  readonly #last = new Map<number, Pick<Outcome, 'minute' | 'reason' | 'sentence' | 'step'>>()

  clear(): void {
    this.#rules.clear()
    this.#said.clear()
    this.#last.clear()
  }

  of(ruleId: number): ReadonlyMap<string, Course> {
    return this.#rules.get(ruleId) ?? NONE
  }

  set(ruleId: number, key: string, course: Course): void {
    const groups = this.#rules.get(ruleId) ?? new Map<string, Course>()
    if (isPlain(course)) groups.delete(key)
    else groups.set(key, course)
    if (groups.size > 0) this.#rules.set(ruleId, groups)
    else this.#rules.delete(ruleId)
  }

  /** What a rule measured is measured no more. */
  leave(ruleId: number): void {
    this.#rules.delete(ruleId)
  }

  /** Whether an outcome says something else than the one before it, or is the first of an hour. */
  isNew(outcome: Outcome): boolean {
    const { isNew, minute, rule } = outcome
    return isNew || this.#said.get(slotOf(outcome))?.text !== textOf(outcome) || minute % 60 === rule.id % 60
  }

  /** What these follow that was said again in between. */
  repeatedBefore(outcomes: readonly Outcome[]): readonly Repeated[] {
    const slots = new Set(outcomes.map(slotOf))
    return [...slots].flatMap((slot) => {
      const said = this.#said.get(slot)
      return said === undefined || said.times === 0 ? [] : [{ kept: said.kept, times: said.times }]
    })
  }

  /** What was said last of any group of a rule; null before it was evaluated. */
  last(ruleId: number): Pick<Outcome, 'reason' | 'sentence' | 'step'> | null {
    return this.#last.get(ruleId) ?? null
  }

  /** @param isKept it is kept by itself; otherwise it is one more like the one before it */
  say(outcome: Outcome, isKept: boolean): void {
    const { key, minute, reason, rule, step } = outcome
    const last = this.#last.get(rule.id)
    // Of the groups of a minute, one that is not quiet says more than one that is.
    if (last === undefined || last.minute !== minute || last.step === 'quiet' || step !== 'quiet') {
      this.#last.set(rule.id, { minute, reason, step, sentence: () => sentenceOf(outcome) })
    }
    const slot = slotOf(outcome)
    const before = this.#said.get(slot)
    if (isKept || before === undefined) {
      const kept = { key, minute, rule: { id: rule.id, version: rule.version } }
      this.#said.set(slot, { text: textOf(outcome), ruleId: rule.id, kept, times: 0, until: minute })
    } else if (before.until < minute) {
      this.#said.set(slot, { ...before, times: before.times + 1, until: minute })
    }
  }

  /** Rules that are there no more. */
  missing(ids: ReadonlySet<number>): number[] {
    return [...this.#rules.keys()].filter((id) => !ids.has(id))
  }

  /** Forgets those, and what was said of groups of which nothing was heard for long. */
  forget(ids: ReadonlySet<number>, minute: number): void {
    for (const id of this.missing(ids)) this.#rules.delete(id)
    for (const id of this.#last.keys()) if (!ids.has(id)) this.#last.delete(id)
    for (const [slot, { ruleId, until }] of this.#said) {
      if (!ids.has(ruleId) || minute - until > REMEMBERED_MINUTES) this.#said.delete(slot)
    }
  }
}

/** Each is said again within the hour, if it is said at all; a rule that is looked at seldom counts from there anew. */
const REMEMBERED_MINUTES = 120

const textOf = ({ reason, rule, step }: Outcome): string => `${rule.version} ${step} ${reason}`

const slotOf = ({ key, rule, step }: Outcome): string =>
  step === 'quiet' && key !== NO_GROUP ? `${rule.id}` : `${rule.id} ${key}`

const NO_GROUP = groupKey([])

/** With the group of which it is said. */
const sentenceOf = ({ group, sentence }: Outcome): string =>
  group.length === 0 ? sentence() : `${sentence()}, ${groupText(group)}`

const NONE: ReadonlyMap<string, Course> = new Map()
