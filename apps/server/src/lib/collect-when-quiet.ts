/**
 * Gives memory back after a flood. The collector of V8 has no reason to run once nothing is allocated any more, so what a
 * flood of large bodies left behind would stay for hours.
 *
 * @param options.uncollectedBytes so much must have been worked on since the last time
 * @param options.quietMs a collection stops the thread for some tens of milliseconds: it waits until nothing came for so long
 * @param options.collect `globalThis.gc`, which Node has with `--expose-gc`; without it nothing is done
 * @returns to be called with the bytes that were worked on
 */
export const collectWhenQuiet = ({
  uncollectedBytes,
  quietMs,
  collect = globalThis.gc,
}: {
  readonly uncollectedBytes: number
  readonly quietMs: number
  readonly collect?: (() => unknown) | undefined
}): ((bytes: number) => void) => {
  let uncollected = 0
  let timer: NodeJS.Timeout | null = null
  const collectNow = (): void => {
    timer = null
    uncollected = 0
    collect?.()
  }
  return (bytes) => {
    uncollected += bytes
    if (collect === undefined || uncollected < uncollectedBytes) return
    if (timer === null) timer = setTimeout(collectNow, quietMs).unref()
    else timer.refresh()
  }
}
