import { RULES } from './detectors/index.ts'
import type { Rule, Thresholds } from './finding.ts'

/** How a project has its findings: what it does not say is as the detector says. */

export interface DetectorSettings {
  readonly enabled: boolean
  /** How often within a day before an issue appears. */
  readonly seen: number
  readonly thresholds: Thresholds
}

export interface Mute {
  /** Id of a rule; '' for all. */
  readonly detector: string
  readonly transaction: string
}

export interface FindingSettings {
  readonly detectors: ReadonlyMap<string, DetectorSettings>
  readonly mutes: readonly Mute[]
}

/** What is stored: the differences alone, so that a better default reaches everybody who did not choose. */
export interface ChangedSettings {
  readonly detectors: Readonly<Record<string, Partial<DetectorSettings>>>
  readonly mutes: readonly Mute[]
}

export const UNCHANGED: ChangedSettings = { detectors: {}, mutes: [] }

const defaultsOf = ({ thresholds, seen }: Rule): DetectorSettings => ({
  enabled: true,
  seen,
  thresholds: Object.fromEntries(thresholds.map((threshold) => [threshold.name, threshold.default])),
})

export const resolveSettings = ({ detectors, mutes }: ChangedSettings): FindingSettings => ({
  mutes,
  detectors: new Map(
    RULES.map((detector) => {
      const defaults = defaultsOf(detector)
      const { thresholds, ...changed } = detectors[detector.id] ?? {}
      const known = detector.thresholds.flatMap(({ name, min, max }): [string, number][] => {
        const value = thresholds?.[name]
        return value === undefined ? [] : [[name, Math.min(Math.max(value, min), max)]]
      })
      const settings = { ...defaults, ...changed, thresholds: { ...defaults.thresholds, ...Object.fromEntries(known) } }
      return [detector.id, settings] as const
    }),
  ),
})

/** What of the settings differs from the defaults. */
export const changedSettings = ({ detectors, mutes }: FindingSettings): ChangedSettings => ({
  mutes,
  detectors: Object.fromEntries(
    RULES.flatMap((detector) => {
      const own = detectors.get(detector.id)
      const defaults = defaultsOf(detector)
      if (own === undefined) return []
      const thresholds = Object.fromEntries(
        Object.entries(own.thresholds).filter(([name, value]) => defaults.thresholds[name] !== value),
      )
      const changed = {
        ...(own.enabled === defaults.enabled ? {} : { enabled: own.enabled }),
        ...(own.seen === defaults.seen ? {} : { seen: own.seen }),
        ...(Object.keys(thresholds).length === 0 ? {} : { thresholds }),
      }
      return Object.keys(changed).length === 0 ? [] : [[detector.id, changed] as const]
    }),
  ),
})

export const isMuted = ({ mutes }: FindingSettings, detector: string, transaction: string): boolean =>
  mutes.some((mute) => mute.transaction === transaction && (mute.detector === '' || mute.detector === detector))
