import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { readSettings, type NoticeSettings } from '../settings.ts'
import { zoneOf } from './people.ts'

export type NoticeSettingsStore = ReturnType<typeof createNoticeSettings>

/** How people want to be told. */
export const createNoticeSettings = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** With the zone that counts. */
  of: async (userId: number): Promise<{ readonly settings: NoticeSettings; readonly zone: string }> => {
    const row = await ledger.db
      .selectFrom('users')
      .leftJoin('notice_settings', 'notice_settings.user_id', 'users.id')
      .select(['users.preferences', 'notice_settings.settings'])
      .where('users.id', '=', userId)
      .executeTakeFirst()
    const settings = readSettings(row?.settings ?? null)
    return { settings, zone: zoneOf(settings, row?.preferences ?? '') }
  },
  save: async (userId: number, settings: NoticeSettings, now: number): Promise<void> =>
    ledger.transaction((transaction) => saveSettings(transaction, userId, settings, now)),
  /** Of what is settled now, whatever else changes it at the same time. False for nobody. */
  change: (userId: number, change: (settings: NoticeSettings) => NoticeSettings, now: number): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom('users')
        .leftJoin('notice_settings', 'notice_settings.user_id', 'users.id')
        .select('notice_settings.settings')
        .where('users.id', '=', userId)
        .executeTakeFirst()
      if (row === undefined) return false
      await saveSettings(transaction, userId, change(readSettings(row.settings)), now)
      return true
    }),
})

const saveSettings = async (
  transaction: LedgerTransaction,
  userId: number,
  settings: NoticeSettings,
  now: number,
): Promise<void> => {
  const row = { settings: JSON.stringify(settings), changed_at: now }
  await transaction
    .insertInto('notice_settings')
    .values({ ...row, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}
