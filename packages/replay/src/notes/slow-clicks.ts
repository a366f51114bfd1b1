/** Clicks that the page answers late or never, by the rules of Sentry's recorder. Pure: who knows the page tells it. */

/** A page that changes within this time has answered. Milliseconds. */
const ANSWER_MS = 3000
/** … and one that scrolls within this. */
const SCROLL_MS = 300
/** Clicks of one element within this time are one that counts more than once. */
const SAME_MS = 1000
const CHECK_MS = 1000
/** So many are waited for at once: nobody clicks more. */
const MAX_PENDING = 100

export interface Click {
  readonly at: number
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

interface Pending extends Click {
  readonly element: unknown
  count: number
  answer?: number
  scroll?: number
}

export interface SlowClicks {
  /** @param isCandidate false: it only counts for one that is waited for */
  click(element: unknown, click: Click, isCandidate: boolean): void
  /**
   * The page has changed, or done something else that can be noticed.
   *
   * @param since clicks before it are not answered by this
   */
  answer(at: number, since?: number): void
  scroll(at: number): void
  stop(): void
}

type Tell = (category: 'ui.slowClickDetected' | 'ui.multiClick', click: Click, data: object) => void

/** @param timeoutMs after which nobody waits any longer */
export const watchSlowClicks = (timeoutMs: number, tell: Tell, now: () => number = Date.now): SlowClicks => {
  const answeredMs = Math.min(ANSWER_MS, timeoutMs)
  let pending: Pending[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const judge = (one: Pending): void => {
    const { answer, scroll, count } = one
    const isAnswered = (answer !== undefined && answer <= answeredMs) || (scroll !== undefined && scroll <= SCROLL_MS)
    if (isAnswered) {
      if (count > 1) tell('ui.multiClick', one, { clickCount: count, metric: true })
      return
    }
    const timeAfterClickMs = Math.min(answer ?? timeoutMs, timeoutMs)
    const endReason = timeAfterClickMs < timeoutMs ? 'mutation' : 'timeout'
    tell('ui.slowClickDetected', one, { timeAfterClickMs, endReason, clickCount: count })
  }
  const check = (): void => {
    timer = undefined
    const over = pending.filter(({ at }) => at + timeoutMs <= now())
    pending = pending.filter((one) => !over.includes(one))
    over.forEach(judge)
    schedule()
  }
  const schedule = (): void => {
    if (pending.length > 0) timer ??= setTimeout(check, CHECK_MS)
  }

  return {
    click: (element, click, isCandidate) => {
      const same = pending.filter((one) => one.element === element)
      for (const one of same) one.count += 1
      const isOne = same.some(({ at }) => Math.abs(click.at - at) < SAME_MS)
      if (isCandidate && !isOne && pending.length < MAX_PENDING) pending.push({ ...click, element, count: 1 })
      schedule()
    },
    answer: (at, since = 0) => {
      for (const one of pending) if (one.at <= at && one.at >= since) one.answer ??= at - one.at
    },
    scroll: (at) => {
      for (const one of pending) if (one.at <= at) one.scroll ??= at - one.at
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
      pending = []
    },
  }
}
