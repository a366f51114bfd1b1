/** Web vitals from the browser's measurements, by the definitions of web.dev; nothing that could not be ended. Pure. */

/** Shifts nearer to each other than this, and within this, count together. Milliseconds. */
const SHIFT_GAP_MS = 1000
const SHIFT_WINDOW_MS = 5000
/** Of so many interactions one may be as slow as it likes. */
const INTERACTIONS_PER_OUTLIER = 50
const MAX_INTERACTIONS = 10
/** Shifts of the worst window that are told with their nodes. */
const MAX_SHIFTS = 20

/** As far as they are read; the library of TypeScript does not know all of them. */
export interface Measured {
  readonly entryType: string
  readonly startTime: number
  readonly duration: number
  readonly element?: Node | null
  readonly target?: Node | null
  readonly value?: number
  readonly hadRecentInput?: boolean
  readonly interactionId?: number
  readonly sources?: readonly { readonly node?: Node | null }[]
}

export interface Vital {
  readonly name: 'largest-contentful-paint' | 'cumulative-layout-shift' | 'interaction-to-next-paint'
  readonly value: number
  readonly rating: 'good' | 'needs-improvement' | 'poor'
  /** Milliseconds since the page began. */
  readonly at: number
  readonly nodes: readonly Node[]
  readonly shifts?: readonly { readonly value: number; readonly nodes: readonly Node[] }[]
}

const BOUNDS = {
  'largest-contentful-paint': [2500, 4000],
  'cumulative-layout-shift': [0.1, 0.25],
  'interaction-to-next-paint': [200, 500],
} as const

const nodesOf = (entry: Measured | undefined): Node[] => {
  const node = entry?.element ?? entry?.target
  return node ? [node] : (entry?.sources ?? []).flatMap(({ node: moved }) => (moved ? [moved] : []))
}

export const createVitals = () => {
  const told = new Map<string, number>()
  const latest = new Map<Vital['name'], Omit<Vital, 'name' | 'rating'>>()
  let window: Measured[] = []
  let windowValue = 0
  let slowest: Measured[] = []
  let interactions = 0
  let lastInteraction = 0

  const shift = (entry: Measured): void => {
    const { value = 0, hadRecentInput, startTime } = entry
    if (hadRecentInput) return
    const [first] = window
    const isNear = startTime - (window.at(-1)?.startTime ?? -Infinity) < SHIFT_GAP_MS
    const isWithin = startTime - (first?.startTime ?? -Infinity) < SHIFT_WINDOW_MS
    if (!isNear || !isWithin) {
      window = []
      windowValue = 0
    }
    window.push(entry)
    windowValue += value
    if (windowValue <= (latest.get('cumulative-layout-shift')?.value ?? 0)) return
    const shifts = window.slice(-MAX_SHIFTS).map((one) => ({ value: one.value ?? 0, nodes: nodesOf(one) }))
    const nodes = shifts.flatMap((one) => one.nodes)
    latest.set('cumulative-layout-shift', { value: windowValue, at: startTime, nodes, shifts })
  }
  const interact = (entry: Measured): void => {
    const { interactionId = 0 } = entry
    if (interactionId === 0) return
    // Their numbers grow.
    if (interactionId > lastInteraction) {
      interactions += 1
      lastInteraction = interactionId
    }
    const before = slowest.find((one) => one.interactionId === interactionId)
    if (before && before.duration >= entry.duration) return
    slowest = [...slowest.filter((one) => one !== before), entry]
      .sort((one, other) => other.duration - one.duration)
      .slice(0, MAX_INTERACTIONS)
    const found = slowest[Math.min(slowest.length - 1, Math.floor(interactions / INTERACTIONS_PER_OUTLIER))]
    if (!found) return
    latest.set('interaction-to-next-paint', { value: found.duration, at: found.startTime, nodes: nodesOf(found) })
  }

  return {
    take: (entry: Measured): void => {
      if (entry.entryType === 'layout-shift') shift(entry)
      else if (entry.entryType === 'largest-contentful-paint') {
        const { startTime } = entry
        latest.set('largest-contentful-paint', { value: startTime, at: startTime, nodes: nodesOf(entry) })
      } else interact(entry)
    },
    /** Those that have changed since they were asked for. */
    changed: (): Vital[] =>
      [...latest].flatMap(([name, vital]) => {
        if (told.get(name) === vital.value) return []
        told.set(name, vital.value)
        const [good, fair] = BOUNDS[name]
        const rating = vital.value <= good ? 'good' : vital.value <= fair ? 'needs-improvement' : 'poor'
        return [{ name, rating, ...vital }]
      }),
  }
}
