import { setImmediate } from 'node:timers/promises'
import { DAY_MS } from '../lib/durations.ts'
import type { Ledger, RetentionPart } from '../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../storage/ledger/chunks.ts'
import { forgetBeyondKept, mergeQuietEvaluations } from './ledger/merge-evaluations.ts'
import { oneAtATime } from './ledger/one-at-a-time.ts'
import { forgetTakingBack } from './ledger/taken-back.ts'
import { endedFor } from './ledger/untold-ends.ts'
import { LIMITS } from './limits.ts'

/** Of an issue that nobody resolved and to which nothing happened for long, the next thing is news again. */
const endOldIncidents = ({ dialect, transaction }: Ledger, now: number): Promise<void> =>
  transaction(async (own) => {
    await oneAtATime(own, dialect)
    await own
      .updateTable('alert_incidents')
      .set(endedFor('nothing happened for long', now))
      .where('issue_id', 'is not', null)
      .where('ended_at', 'is', null)
      .where('changed_at', '<', now - LIMITS.ALERT_INCIDENT_DAYS * DAY_MS)
      .execute()
  })

const untold = ({ db }: Ledger) =>
  db
    .selectFrom('alert_messages')
    .innerJoin('alert_incidents', 'alert_incidents.id', 'alert_messages.incident_id')
    .select('alert_messages.id')
    .where((where) =>
      where.or([
        where('alert_incidents.ended_at', 'is', null),
        where('alert_incidents.untold_end', 'is not', null),
        where('alert_incidents.over_by', 'is not', null),
      ]),
    )

/** Evaluations, the notes of messages, and incidents that are over go by their own age. */
export const createAlertRetention = ({
  ledger,
  purge,
}: {
  readonly ledger: Ledger
  /** Removes rules that were deleted long enough ago. */
  readonly purge: (now: number) => Promise<number>
}): RetentionPart => {
  const remove = async (
    table: 'alert_evaluations' | 'alert_messages',
    time: 'evaluated_at' | 'sent_at',
    before: number,
    signal: AbortSignal,
  ): Promise<number> => {
    let removed = 0
    for (;;) {
      signal.throwIfAborted()
      const old = await ledger.db
        .selectFrom(table)
        .select('id')
        .where(time, '<', before)
        // What is not over yet has an end to tell to whoever heard of it.
        .$if(table === 'alert_messages', (query) => query.where('id', 'not in', untold(ledger)))
        .limit(LIMITS.ALERT_STEP_ROWS)
        .execute()
      if (old.length === 0) return removed
      await ledger.db
        .deleteFrom(table)
        .where(
          'id',
          'in',
          old.map(({ id }) => id),
        )
        .execute()
      removed += old.length
      await setImmediate()
    }
  }
  const removeIncidents = async (before: number, signal: AbortSignal): Promise<number> => {
    let removed = 0
    for (;;) {
      signal.throwIfAborted()
      const old = await ledger.db
        .selectFrom('alert_incidents')
        .select('id')
        .where('ended_at', '<', before)
        .where('untold_end', 'is', null)
        .limit(LIMITS.ALERT_STEP_ROWS)
        .execute()
      if (old.length === 0) return removed
      for (const part of chunks(old, ROWS_PER_STATEMENT)) {
        const ids = part.map(({ id }) => id)
        await ledger.db.deleteFrom('alert_incidents').where('id', 'in', ids).execute()
      }
      removed += old.length
      await setImmediate()
    }
  }
  return {
    sweep: async (now, signal) => {
      const before = now - LIMITS.ALERT_EVALUATION_DAYS * DAY_MS
      await endOldIncidents(ledger, now)
      await forgetTakingBack(ledger.db, now)
      return {
        alertEvaluations:
          (await remove('alert_evaluations', 'evaluated_at', before, signal)) +
          (await mergeQuietEvaluations(ledger, now, signal)) +
          (await forgetBeyondKept(ledger, signal)),
        alertMessages: await remove('alert_messages', 'sent_at', before, signal),
        alertIncidents: await removeIncidents(now - LIMITS.ALERT_INCIDENT_KEPT_DAYS * DAY_MS, signal),
      }
    },
    purge: async (now) => ({ alertRules: await purge(now) }),
  }
}
