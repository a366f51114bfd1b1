import type { DetectorSettings, FindingSettings, WantedFindingSettings } from '@firsthand/contract'

/** Settings while they are changed: numbers as they are typed. */
export interface Draft {
  readonly rules: readonly RuleDraft[]
  readonly mutes: FindingSettings['mutes']
}

export interface RuleDraft {
  readonly settings: DetectorSettings
  readonly enabled: boolean
  readonly seen: string
  /** By name of the threshold. */
  readonly values: Readonly<Record<string, string>>
}

export function draftOf({ detectors, mutes }: FindingSettings): Draft {
  return {
    mutes,
    rules: detectors.map((settings) => ({
      settings,
      enabled: settings.enabled,
      seen: String(settings.seen),
      values: Object.fromEntries(settings.thresholds.map(({ name, value }) => [name, String(value)])),
    })),
  }
}

export function wantedOf({ rules, mutes }: Draft): WantedFindingSettings {
  return {
    mutes: [...mutes],
    detectors: rules.map(({ settings, enabled, seen, values }) => ({
      id: settings.id,
      enabled,
      seen: Number(seen),
      thresholds: Object.fromEntries(settings.thresholds.map(({ name }) => [name, Number(values[name])])),
    })),
  }
}

export const MOST_SEEN = 10_000

/** What is wrong with a number as it was typed; undefined when nothing is. */
export function numberError(text: string, min: number, max: number, whole = false): string | undefined {
  const value = Number(text)
  const isNumber = text.trim() !== '' && Number.isFinite(value) && (!whole || Number.isInteger(value))
  if (isNumber && value >= min && value <= max) return undefined
  return `${whole ? 'A whole number' : 'A number'} from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`
}

export function hasErrors({ rules }: Draft): boolean {
  return rules.some(
    ({ settings, seen, values }) =>
      numberError(seen, 1, MOST_SEEN, true) !== undefined ||
      settings.thresholds.some(({ name, min, max }) => numberError(values[name] ?? '', min, max) !== undefined),
  )
}

export function isChanged(draft: Draft, settings: FindingSettings): boolean {
  return JSON.stringify(wantedOf(draft)) !== JSON.stringify(wantedOf(draftOf(settings)))
}
