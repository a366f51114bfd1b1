/**
 * When a page load or navigation is over: nobody says so, hence a while after the last thing that happened in it. Durations
 * that come of this are rough; web vitals say how fast a page is.
 */

export type EndReason =
  | 'idleTimeout'
  | 'heartbeatFailed'
  | 'finalTimeout'
  | 'documentHidden'
  | 'cancelled'
  | 'reportPageLoaded'

export interface IdleTimes {
  readonly idleTimeout?: number
  readonly childSpanTimeout?: number
  readonly finalTimeout?: number
}

export interface Idle {
  childBegan(): void
  childEnded(): void
  /** From now on it may end by itself. */
  release(): void
  end(reason: EndReason): void
}

/**
 * @param isHeld it does not end by itself, except after the longest time, until it is released
 * @param onEnd called once
 */
export const createIdle = (
  { idleTimeout = 1000, childSpanTimeout = 15_000, finalTimeout = 30_000 }: IdleTimes,
  isHeld: boolean,
  onEnd: (reason: EndReason) => void,
): Idle => {
  let open = 0
  let isOver = false
  let isWaiting = isHeld
  let idle: ReturnType<typeof setTimeout> | undefined
  let heartbeat: ReturnType<typeof setTimeout> | undefined

  const end = (reason: EndReason): void => {
    if (isOver) return
    isOver = true
    for (const timer of [idle, heartbeat, final]) clearTimeout(timer)
    onEnd(reason)
  }
  const final = setTimeout(() => end('finalTimeout'), finalTimeout)
  const wait = (): void => {
    clearTimeout(idle)
    if (open === 0 && !isWaiting && !isOver) idle = setTimeout(() => end('idleTimeout'), idleTimeout)
  }
  const beat = (): void => {
    clearTimeout(heartbeat)
    if (open > 0 && !isWaiting && !isOver) heartbeat = setTimeout(() => end('heartbeatFailed'), childSpanTimeout)
  }
  wait()
  return {
    childBegan: () => {
      open += 1
      clearTimeout(idle)
      beat()
    },
    childEnded: () => {
      open -= 1
      wait()
      if (open === 0) clearTimeout(heartbeat)
    },
    release: () => {
      isWaiting = false
      wait()
      beat()
    },
    end,
  }
}
