import type { Attributes } from '../attributes/attributes.ts'
import type { KeyValue } from './protobuf.ts'

const NANOSECOND_DIGITS = 9

/** 0 is what a sender says that does not know; digits, so that no time is rounded to a double of nanoseconds. */
export const secondsOf = (digits: string): number | null => {
  if (!/^\d{1,20}$/.test(digits) || digits === '0') return null
  const cut = Math.max(0, digits.length - NANOSECOND_DIGITS)
  return Number(digits.slice(0, cut) || '0') + Number(digits.slice(cut)) / 10 ** NANOSECOND_DIGITS
}

/** Names of the resource that are names of its things, too; all others are `resource.…`. */
const OF_THINGS: ReadonlyMap<string, string> = new Map([
  ['service.name', 'service.name'],
  ['service.version', 'sentry.release'],
  ['deployment.environment', 'sentry.environment'],
  ['deployment.environment.name', 'sentry.environment'],
  ['telemetry.sdk.name', 'sentry.sdk.name'],
  ['telemetry.sdk.version', 'sentry.sdk.version'],
  ['telemetry.sdk.language', 'sentry.platform'],
])

export const addPairs = (attributes: Attributes, pairs: readonly KeyValue[]): void => {
  for (const { key, value } of pairs) attributes.add(key, value)
}

export const addResource = (attributes: Attributes, resource: readonly KeyValue[]): void => {
  for (const { key, value } of resource) attributes.add(OF_THINGS.get(key) ?? `resource.${key}`, value)
}
