import type { Selectable } from 'kysely'
import type { SealedCheck } from '../secrets.ts'
import type { UptimeCheckTable } from './schema.ts'

export type CheckRow = Selectable<UptimeCheckTable> & {
  readonly project_slug: string
  readonly project_name: string
  readonly project_platform: string
}

export const askedOf = ({ asked }: Pick<CheckRow, 'asked'>): SealedCheck => JSON.parse(asked) as SealedCheck
