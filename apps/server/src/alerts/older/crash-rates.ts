import type { AlertRuleDraft } from '@firsthand/contract'

/** Rates without crashes: Sentry writes them as the share that crashed, means the other part, and counts in percent. */

const AGGREGATES = [
  ['crash_free_rate(session)', 'percentage(sessions_crashed, sessions)'],
  ['crash_free_rate(user)', 'percentage(users_crashed, users)'],
] as const

/** Of fewer sessions Sentry does not judge such an alert either. */
export const LEAST_SESSIONS = 50

/** Behind the aggregate as scripts write it. */
const NAME = ' AS _crash_rate_alert_aggregate'

export const crashFreeOf = (aggregate: string): string | null => {
  const sent = aggregate.replace(/ as \w+$/i, '').replaceAll(/\s/g, '')
  return AGGREGATES.find((names) => names.some((name) => name.replaceAll(' ', '') === sent))?.[0] ?? null
}

export const sentCrashFree = (aggregate: string): string | null => {
  const name = AGGREGATES.find(([own]) => own === aggregate)?.[1]
  return name === undefined ? null : `${name}${NAME}`
}

/** Without what binary fractions add. */
const tidy = (value: number): number => Number(value.toPrecision(12))

export const inPercent = (share: number): number => tidy(share * 100)

const inParts = (percent: number): number => tidy(percent / 100)

/** Its thresholds as parts of one: what is held against something else says percent of that. */
export const withParts = (draft: AlertRuleDraft): AlertRuleDraft =>
  draft.detectionType === 'dynamic' || (draft.comparisonDelta ?? null) !== null
    ? draft
    : {
        ...draft,
        resolveThreshold:
          typeof draft.resolveThreshold === 'number' ? inParts(draft.resolveThreshold) : draft.resolveThreshold,
        triggers: draft.triggers.map((trigger) => ({ ...trigger, alertThreshold: inParts(trigger.alertThreshold) })),
      }
