/**
 * What can be taken back, whoever changed it: the toast of a change has a button for it, and `z` takes back the last one
 * after the toast has gone, and on any other screen.
 */

/** So many changes are remembered; older ones are no longer what somebody means by "the last". */
const MOST_REMEMBERED = 20

/** Newest last. */
const changes: Undoable[] = []
const underWay = new Set<Promise<unknown>>()

export interface Undoable {
  /** Takes the change back, once. */
  readonly run: () => void
  /** Comes when it was taken back, from wherever. */
  readonly taken: Promise<void>
}

/** Remembers a change by what takes it back. */
export function undoable(takeBack: () => void): Undoable {
  const { promise, resolve } = Promise.withResolvers<void>()
  const change: Undoable = {
    taken: promise,
    run: () => {
      const place = changes.indexOf(change)
      if (place === -1) return
      changes.splice(place, 1)
      resolve()
      takeBack()
    },
  }
  changes.push(change)
  if (changes.length > MOST_REMEMBERED) changes.shift()
  return change
}

/** A change that the server has not confirmed yet: "the last change" waits for it. */
export function changing<Result>(work: Promise<Result>): Promise<Result> {
  underWay.add(work)
  // Its failure is told by whoever began it.
  const end = () => underWay.delete(work)
  void work.then(end, end)
  return work
}

/** Takes back the last change; false when there is none. */
export async function undoLast(): Promise<boolean> {
  if (underWay.size > 0) {
    await Promise.allSettled(underWay)
    // Who made the change learns of its end first, and then remembers it.
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  const last = changes.at(-1)
  last?.run()
  return last !== undefined
}

/** Nothing of what was changed so far can be taken back any more: another person sits here. */
export function forgetChanges(): void {
  changes.length = 0
}
