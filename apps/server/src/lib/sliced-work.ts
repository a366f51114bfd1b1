import { setImmediate } from 'node:timers/promises'

/** Long work in slices: it stops at each `yield`, so that other work of the thread can run. */
export type Steps<Value> = Generator<void, Value, void>

/** The value at once when the work is a single slice, else a promise: the event loop runs between two slices. */
export const inSlices = <Value>(steps: Steps<Value>): Value | Promise<Value> => {
  const first = steps.next()
  return first.done === true ? first.value : rest(steps)
}

const rest = async <Value>(steps: Steps<Value>): Promise<Value> => {
  for (;;) {
    await setImmediate()
    const next = steps.next()
    if (next.done === true) return next.value
  }
}

/** Runs one work after another, and lets the event loop run whenever they took so long together. */
export const createSlices = (sliceMs: number): (<Value>(steps: Steps<Value>) => Promise<Value>) => {
  let sliceEnd = performance.now() + sliceMs
  return async (steps) => {
    for (;;) {
      const next = steps.next()
      if (performance.now() >= sliceEnd) {
        await setImmediate()
        sliceEnd = performance.now() + sliceMs
      }
      if (next.done === true) return next.value
    }
  }
}

/** The pieces one after the other in new memory, `stepBytes` copied at a time. */
export const joinSteps = function* (pieces: readonly Uint8Array[], bytes: number, stepBytes: number): Steps<Buffer> {
  const joined = Buffer.allocUnsafe(bytes)
  let position = 0
  let pause = stepBytes
  for (const piece of pieces) {
    let from = 0
    while (from < piece.byteLength) {
      const to = Math.min(piece.byteLength, from + pause - position)
      joined.set(from === 0 && to === piece.byteLength ? piece : piece.subarray(from, to), position)
      position += to - from
      from = to
      if (position < pause) continue
      pause = position + stepBytes
      yield
    }
  }
  return joined
}
