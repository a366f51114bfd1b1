import type { Selectable } from 'kysely'
import type { UptimeCheck } from '../check.ts'
import type { UptimeCheckTable } from './schema.ts'

export type CheckRow = Selectable<UptimeCheckTable> & {
  readonly project_slug: string
  readonly project_name: string
  readonly project_platform: string
}

export const askedOf = ({ asked }: Pick<CheckRow, 'asked'>): UptimeCheck => JSON.parse(asked) as UptimeCheck
