import { useSyncExternalStore } from 'react'

/**
 * One clock for all relative times on the page: it ticks once a second, and only while the page is visible and
 * somebody listens, so that a thousand rows cost one timer.
 */
const TICK_MS = 1000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let current = Date.now()

function tick(): void {
  current = Date.now()
  for (const listener of listeners) listener()
}

function update(): void {
  const wanted = listeners.size > 0 && document.visibilityState === 'visible'
  if (wanted && timer === undefined) {
    tick()
    timer = setInterval(tick, TICK_MS)
  } else if (!wanted && timer !== undefined) {
    clearInterval(timer)
    timer = undefined
  }
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) document.addEventListener('visibilitychange', update)
  listeners.add(listener)
  update()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) document.removeEventListener('visibilitychange', update)
    update()
  }
}

/**
 * The present moment in milliseconds, rounded down to `resolutionMs`: the component renders again only when the
 * rounded value changes.
 */
export function useNow(resolutionMs: number = TICK_MS): number {
  return useSyncExternalStore(subscribe, () => Math.floor(current / resolutionMs) * resolutionMs)
}
