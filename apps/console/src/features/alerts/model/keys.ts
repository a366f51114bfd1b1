import { organizationKeys } from '../../../lib/query-keys.ts'

/** Everything of alerts. */
export const alertsKey = (org: string) => [...organizationKeys.all(org), 'alerts'] as const

/** What changes when a rule speaks: the list, each rule with its log, and what is said of an issue. */
export const spokenKeys = (org: string) =>
  (['list', 'rule', 'issue', 'marks'] as const).map((part) => [...alertsKey(org), part] as const)
