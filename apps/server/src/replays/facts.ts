/** What is known of few replays, by the keys of a search that ask for it: kept by name, in one column. */
export const FACTS = [
  'user.geo.city',
  'user.geo.country_code',
  'user.geo.region',
  'user.geo.subdivision',
  'device.model_id',
  'ota_updates.channel',
  'ota_updates.runtime_version',
  'ota_updates.update_id',
] as const

export type FactName = (typeof FACTS)[number]

/** As columns of a statement are called. */
export const factColumn = (name: FactName): string => `all_${name.replaceAll('.', '_')}`

/** Over `replay_segments`. */
export const factSql = (name: FactName): string => `facts['${name}']`
