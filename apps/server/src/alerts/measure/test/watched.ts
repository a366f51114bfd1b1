import type { SettledClock } from '../../../ingest/index.ts'
import { seedOrganization, type OpenedLedger, type OpenedTelemetry } from '../../../storage/conformance/engines.ts'
import { createMeasure, type MeasureParts } from '../measure.ts'
import { endOf, MINUTE_MS } from '../minute.ts'
import type { Outcome } from '../outcome.ts'
import type { WatchedRule } from '../rule.ts'
import { DATASETS } from './rows.ts'

/** Rules that are watched over stores of a test, with a digest whose progress is told by hand. */

export interface Road extends SettledClock {
  /** Time passes, and all that was received is stored. */
  pass(minutes: number): void
  /** Time passes, and the digest stands. */
  lag(minutes: number): void
  /** All that waited is stored. */
  catchUp(): void
  setForward(ms: number): void
}

export const roadAt = (minute: number): Road => {
  let now = endOf(minute) + 1000
  let until = now
  let jump: { from: number; to: number } | null = null
  return {
    now: () => now,
    until: () => until,
    jump: () => jump,
    pass: (minutes) => {
      now += minutes * MINUTE_MS
      until = now
    },
    lag: (minutes) => {
      now += minutes * MINUTE_MS
    },
    catchUp: () => {
      until = now
    },
    setForward: (ms) => {
      jump = { from: now, to: now + ms }
      now += ms
      until = now
    },
  }
}

export interface Watched {
  readonly road: Road
  /** What was told of each minute, in order. */
  readonly told: { minute: number; outcomes: readonly Outcome[] }[]
  readonly outcomes: () => Outcome[]
  /** A process that evaluates; the others go on from what it left. */
  readonly start: (more?: Partial<MeasureParts>) => ReturnType<typeof createMeasure>
  rules: readonly WatchedRule[]
}

export const watched = async (
  { telemetry }: OpenedTelemetry,
  opened: OpenedLedger,
  minute: number,
): Promise<Watched> => {
  await seedOrganization(opened.ledger)
  const road = roadAt(minute)
  const told: Watched['told'] = []
  const found: Watched = {
    road,
    told,
    outcomes: () => told.flatMap(({ outcomes }) => outcomes),
    rules: [],
    start: (more = {}) =>
      createMeasure({
        client: telemetry.client,
        ledger: opened.ledger,
        settled: road,
        datasets: DATASETS,
        ask: (question) => Promise.resolve(question.otherwise),
        rules: () => Promise.resolve(found.rules),
        take: (outcomes, of) =>
          Promise.resolve(() => {
            told.push({ minute: of, outcomes })
            return Promise.resolve()
          }),
        due: () => Promise.resolve(new Set()),
        gone: () => Promise.resolve(),
        goneGroups: () => Promise.resolve(),
        incidentsOf: () => Promise.resolve(new Map()),
        ...more,
      }),
  }
  return found
}
