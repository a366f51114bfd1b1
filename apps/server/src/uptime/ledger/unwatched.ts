import type { LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'

/**
 * A check that is deleted or switched off while something is wrong: nobody would ever see that it is well again, so its
 * issues are over as soon as nobody undoes it any more.
 */
export const endIncidents = async (
  transaction: LedgerTransaction,
  check: { readonly id: number; readonly has_issue: 0 | 1; readonly certificate_step: number | null },
  now: number,
): Promise<void> => {
  const abouts = [
    ...(check.has_issue === 1 ? ['address'] : []),
    ...(check.certificate_step === null ? [] : ['certificate']),
  ]
  if (abouts.length === 0) return
  const over = { check_id: check.id, kind: 'over', title: 'Not checked any more', reason: '', sent_at: null }
  await transaction
    .insertInto('uptime_events')
    .values(abouts.map((about) => ({ ...over, about, at: now + LIMITS.UPTIME_UNDO_MS })))
    .execute()
}

/** It is asked again: what was not told yet is taken back, and what was told is an issue that is over. */
export const resumeIncidents = async (transaction: LedgerTransaction, checkId: number, now: number): Promise<void> => {
  const takenBack = await transaction
    .deleteFrom('uptime_events')
    .where('check_id', '=', checkId)
    .where('kind', '=', 'over')
    .where('at', '>', now)
    .returning('about')
    .execute()
  const goesOn = new Set(takenBack.map(({ about }) => about))
  const over = {
    ...(goesOn.has('address') ? {} : { has_issue: 0 as const }),
    ...(goesOn.has('certificate') ? {} : { certificate_step: null }),
  }
  if (Object.keys(over).length === 0) return
  await transaction.updateTable('uptime_checks').set(over).where('id', '=', checkId).execute()
}
