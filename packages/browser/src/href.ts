import { wrap } from './wrap.ts'
import { guard } from './guard.ts'

/** Tells when the page's address is another one. Returns what ends that. */
export const watchHref = (tell: (from: string, to: string) => void): (() => void) => {
  let last = location.href
  const look = (): void =>
    guard(() => {
      const from = last
      last = location.href
      if (last !== from) tell(from, last)
    })
  const around = (call: () => unknown): unknown => {
    const result = call()
    look()
    return result
  }
  const { History: holder, navigation } = globalThis as { History?: typeof History; navigation?: EventTarget }
  const undo = [wrap(holder?.prototype, 'pushState', around), wrap(holder?.prototype, 'replaceState', around)]
  // Of another fragment browsers tell so, too.
  addEventListener('popstate', look)
  // Routers that were loaded before us kept the browser's own methods, and never call ours.
  navigation?.addEventListener('currententrychange', look)
  return () => {
    undo.forEach((one) => one())
    navigation?.removeEventListener('currententrychange', look)
    removeEventListener('popstate', look)
  }
}
