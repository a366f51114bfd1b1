import { guard } from '../guard.ts'

/** Times of the browser's own measurements (milliseconds since the page began) as seconds since 1970. */

/** A machine that slept makes the two clocks differ. */
const MAX_DRIFT_MS = 1000

let origin = 0

/** Called where a page view begins. */
export const setClock = (): void => {
  const measured = Date.now() - performance.now()
  const { timeOrigin } = performance
  if (Math.abs(measured - origin) > MAX_DRIFT_MS)
    origin = Math.abs(measured - timeOrigin) > MAX_DRIFT_MS ? measured : timeOrigin
}

export const secondsAt = (ms: number): number => (origin + ms) / 1000

export const clock = (): number => secondsAt(performance.now())

/** As far as it is read; the library of TypeScript does not know all of it. */
interface PageTiming extends PerformanceNavigationTiming {
  /** When somebody saw the page that was loaded in advance; 0 for any other. Milliseconds. */
  readonly activationStart?: number
}

/** What the browser has measured of the page's own request. */
export const pageTiming = (): PageTiming | undefined =>
  guard(() => (performance.getEntriesByType('navigation') as PageTiming[])[0])
