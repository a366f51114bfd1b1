import { readPreferences } from '../../accounts/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { readSettings, type NoticeSettings } from '../settings.ts'

/** Somebody who is told something. */
export interface ToldPerson {
  readonly id: number
  readonly settings: NoticeSettings
  /** IANA name. */
  readonly zone: string
  /** When they were last sent a mail of those that are gathered; 0 for never. */
  readonly lastMailAt: number
}

/** The zone of somebody's clock: as they say here, else as their account says. */
export const zoneOf = (settings: Pick<NoticeSettings, 'timezone'>, preferences: string): string =>
  settings.timezone || readPreferences(preferences).timezone || 'UTC'

/** Members of the organisation among these people. */
export const readPeople = async (
  db: Pick<LedgerTransaction, 'selectFrom'>,
  organizationId: number,
  userIds: Iterable<number>,
): Promise<Map<number, ToldPerson>> => {
  const people = new Map<number, ToldPerson>()
  for (const part of chunks([...new Set(userIds)], ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.user_id')
      .leftJoin('notice_settings', 'notice_settings.user_id', 'users.id')
      .leftJoin('notice_mailing', 'notice_mailing.user_id', 'users.id')
      .select(['users.id', 'users.preferences', 'notice_settings.settings', 'notice_mailing.last_at'])
      .where('members.organization_id', '=', organizationId)
      .where('users.id', 'in', part)
      .execute()
    for (const { id, preferences, settings: json, last_at: lastAt } of rows) {
      const settings = readSettings(json)
      people.set(id, { id, settings, zone: zoneOf(settings, preferences), lastMailAt: lastAt ?? 0 })
    }
  }
  return people
}
