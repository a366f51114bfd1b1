import { phaseOf, type ComponentState, type Day, type Incident } from './status.ts'

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
  /** Published ones, the newest first. */
  readonly incidents: readonly Incident[]
  readonly at: number
}

/** That one of several is unknown does not hide how the others are. */
const GRAVITY: readonly ComponentState[] = ['major', 'degraded', 'maintenance', 'operational', 'unknown']

/** How all of it stands: the gravest of its components, or of what people said. */
export const overallOf = ({ at, components, incidents }: PageView): ComponentState => {
  const said = incidents
    .filter((incident) => phaseOf(incident, at) === 'now')
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
  incidents: readonly Incident[],
  at: number,
): ComponentState =>
  incidents.some(
    (incident) =>
      incident.kind === 'maintenance' && incident.components.includes(name) && phaseOf(incident, at) === 'now',
  )
    ? 'maintenance'
    : state

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
