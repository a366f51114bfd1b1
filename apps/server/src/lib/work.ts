/**
 * What the rules of a project may cost for one event, counted in steps and not in time, so that the same event has the
 * same end on a slow machine and when it is digested twice. One step is about one character that is compared.
 */
export class Work {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  /** Takes steps that are about to be done, or just were. False when there were not as many left. */
  spend(steps: number): boolean {
    this.#left -= steps
    return this.#left >= 0
  }

  /** Something was left out: what was computed with this budget since is not to be believed. */
  get isSpent(): boolean {
    return this.#left < 0
  }

  get left(): number {
    return this.#left
  }
}
