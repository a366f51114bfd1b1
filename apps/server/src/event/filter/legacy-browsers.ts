import type { NormalisedEvent } from '../event.ts'

/** The first version of each browser that is not legacy; Infinity when all are. */
const FIRST_CURRENT_VERSION: ReadonlyMap<string, number> = new Map([
  ['IE', Infinity],
  ['IE Mobile', Infinity],
  ['Edge', 79],
  ['Edge Mobile', 79],
  ['Chrome', 63],
  ['Chrome Mobile', 63],
  ['Firefox', 67],
  ['Firefox Mobile', 67],
  ['Safari', 12],
  ['Mobile Safari', 12],
  ['Opera', 51],
  ['Opera Mobile', 47],
  ['Opera Mini', 35],
  ['Android', 4],
])

export const isLegacyBrowser = (event: NormalisedEvent): boolean => {
  const { name, version } = event.contexts['browser'] ?? {}
  if (typeof name !== 'string') return false
  const first = FIRST_CURRENT_VERSION.get(name)
  if (first === undefined) return false
  if (first === Infinity) return true
  const major = typeof version === 'string' ? Number.parseInt(version, 10) : Number.NaN
  return major < first
}
