import type { Steps } from '../sliced-work.ts'

/** What comes of it, all slices at once. */
export const finish = <Value>(steps: Steps<Value>): Value => {
  for (;;) {
    const next = steps.next()
    if (next.done === true) return next.value
  }
}
