import type { Course } from './course.ts'
import { isPlain } from './ledger/courses.ts'
import type { Outcome } from './outcome.ts'

/** How rules and their groups stand, by rule and group key: those that are not quiet. */
export class Standings {
  readonly #rules = new Map<number, Map<string, Course>>()
  /** What was said last of each, to tell what is new. */
  readonly #said = new Map<string, string>()
  readonly #last = new Map<number, Pick<Outcome, 'reason' | 'sentence' | 'step'>>()

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
  isNew({ isNew, key, minute, reason, rule, step }: Outcome): boolean {
    const said = this.#said.get(`${rule.id} ${key}`)
    return isNew || said !== `${rule.version} ${step} ${reason}` || minute % 60 === rule.id % 60
  }

  /** What was said last of any group of a rule; null before it was evaluated. */
  last(ruleId: number): Pick<Outcome, 'reason' | 'sentence' | 'step'> | null {
    return this.#last.get(ruleId) ?? null
  }

  say({ key, reason, rule, sentence, step }: Outcome): void {
    this.#last.set(rule.id, { reason, sentence, step })
    this.#said.set(`${rule.id} ${key}`, `${rule.version} ${step} ${reason}`)
  }

  /** Rules that are there no more. */
  gone(ids: ReadonlySet<number>): number[] {
    const gone = [...this.#rules.keys()].filter((id) => !ids.has(id))
    for (const id of gone) this.#rules.delete(id)
    for (const id of this.#last.keys()) if (!ids.has(id)) this.#last.delete(id)
    for (const said of this.#said.keys()) {
      if (!ids.has(Number(said.slice(0, said.indexOf(' '))))) this.#said.delete(said)
    }
    return gone
  }
}

const NONE: ReadonlyMap<string, Course> = new Map()
