import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LIMITS } from '../../apps/server/src/traces/limits.ts'

const DAY_MS = 24 * 60 * 60_000
const DEADLINE_MS = 10 * 60_000

/** Days of spans that are over and have sums, and those that wait for theirs. */
const daysOf = (dataDir: string): { summed: number; waiting: number } => {
  const ledger = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { readOnly: true })
  try {
    const days = ledger
      .prepare('SELECT summed = spans AS is_summed FROM span_days WHERE day < ? AND spans >= ?')
      .all(Math.floor(Date.now() / DAY_MS), LIMITS.SPAN_DAY_ROWS)
    const summed = days.filter((day) => day['is_summed'] === 1).length
    return { summed, waiting: days.length - summed }
  } finally {
    ledger.close()
  }
}

/** Waits until a server that was just started has summed up all days of spans that it can. */
export const waitForDays = async (dataDir: string): Promise<void> => {
  const deadline = Date.now() + DEADLINE_MS
  // The first look finds the days: before it there are none.
  const firstLook = Date.now() + 2 * LIMITS.SPAN_DAYS_INTERVAL_MS
  for (;;) {
    const { summed, waiting } = daysOf(dataDir)
    if (waiting === 0 && (summed > 0 || Date.now() > firstLook)) return
    if (Date.now() > deadline) throw new Error(`${waiting} days were not summed up within ${DEADLINE_MS} ms`)
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}
