import { DAY_MS } from '../lib/durations.ts'
import { LIMITS } from './limits.ts'
import { phaseOf, type ComponentState, type Day, type Head, type Incident, type Phase } from './status.ts'

/** All that a page shows. */
export interface PageView {
  readonly title: string
  /** Path of the page, e.g. `/status/acme`. */
  readonly path: string
  readonly publicUrl: string
  readonly isPublic: boolean
  readonly components: readonly {
    readonly name: string
    readonly state: ComponentState
    readonly days: readonly Day[]
  }[]
  /** All that are published, the newest first. */
  readonly heads: readonly Head[]
  /** Those of them that the page shows with their words. */
  readonly incidents: readonly Incident[]
  /** How the newest update of each begins, by the incident's id. */
  readonly lastWords: ReadonlyMap<number, string>
  readonly at: number
}

/** That one of several is unknown does not hide how the others are. */
const GRAVITY: readonly ComponentState[] = ['major', 'degraded', 'maintenance', 'operational', 'unknown']

/** How all of it stands: the gravest of its components, or of what people said. */
export const overallOf = ({ at, components, heads }: Pick<PageView, 'at' | 'components' | 'heads'>): ComponentState => {
  const said = heads
    .filter((head) => phaseOf(head, at) === 'now')
    .map(({ impact, kind }): ComponentState => {
      if (kind === 'maintenance') return 'maintenance'
      return impact === 'major' || impact === 'critical' ? 'major' : impact === 'minor' ? 'degraded' : 'operational'
    })
  const states = new Set([...components.map(({ state }) => state), ...said])
  return GRAVITY.find((state) => states.has(state)) ?? 'operational'
}

/** Work that is announced puts its components into maintenance while it lasts. */
export const stateWithWork = (
  name: string,
  state: ComponentState,
  heads: readonly Head[],
  at: number,
): ComponentState =>
  heads.some((head) => head.kind === 'maintenance' && head.components.includes(name) && phaseOf(head, at) === 'now')
    ? 'maintenance'
    : state

const SHOWN: Readonly<Record<Phase, number>> = {
  now: LIMITS.STATUS_SHOWN_NOW,
  ahead: LIMITS.STATUS_SHOWN_AHEAD,
  over: LIMITS.STATUS_SHOWN_BEFORE,
}

/** What ends when people say so ended with their newest words; announced work ends by itself at the latest. */
const overSince = ({ endsAt, lastSaidAt }: Head, at: number): number =>
  endsAt !== null && endsAt <= at ? Math.max(endsAt, lastSaidAt) : lastSaidAt

/** Which of the published ones a page shows with their words. What is ahead comes soonest first, so that the next one is among them. */
export const pickShown = (heads: readonly Head[], at: number): Head[] => {
  const since = at - LIMITS.STATUS_HISTORY_DAYS * DAY_MS
  const byPhase = Map.groupBy(heads, (head) => phaseOf(head, at))
  const recent = (byPhase.get('over') ?? [])
    .filter((head) => overSince(head, at) > since)
    .toSorted((one, other) => overSince(other, at) - overSince(one, at))
  return [
    ...(byPhase.get('now') ?? []).slice(0, SHOWN.now),
    ...(byPhase.get('ahead') ?? []).toReversed().slice(0, SHOWN.ahead),
    ...recent.slice(0, SHOWN.over),
  ]
}

/** Leaves older updates out until the page has no more of them than it may: its size does not depend on how much people wrote. */
export const withinPage = (incidents: readonly Incident[]): Incident[] => {
  let left = LIMITS.STATUS_PAGE_UPDATES - incidents.filter(({ updates }) => updates.length > 0).length
  return incidents.map((incident) => {
    const further = Math.min(left, Math.max(0, incident.updates.length - 1))
    left -= further
    return { ...incident, updates: incident.updates.slice(0, 1 + further) }
  })
}

export const OVERALL_WORDS: Readonly<Record<ComponentState, string>> = {
  operational: 'All systems are up',
  maintenance: 'Maintenance is under way',
  degraded: 'Some systems have problems',
  major: 'Some systems are down',
  unknown: 'How systems are is unknown at present',
}

export const STATE_WORDS: Readonly<Record<ComponentState, string>> = {
  operational: 'up',
  maintenance: 'maintenance',
  degraded: 'problems',
  major: 'down',
  unknown: 'unknown',
}
