import { REPORTED_DISCARDS } from './load.ts'
import type { Cargo, Ledger } from './load.ts'
import type { Stored } from './stores.ts'

/** What a comparison of "sent" and "stored" found; empty lists mean: nothing lost, nothing doubled. */
export interface Verdict {
  /** Acknowledged, but missing from a store. */
  readonly lost: readonly string[]
  /** More than once in a store. */
  readonly doubled: readonly string[]
  /** Counters and outcomes that do not add up. */
  readonly wrong: readonly string[]
}

const ids = (ledger: Ledger, cargo: Cargo): { acknowledged: string[]; doubtful: string[] } => {
  const of = (map: Ledger['acknowledged']): string[] =>
    [...map.values()].filter((sent) => sent.cargo === cargo).map((sent) => sent.id)
  return { acknowledged: of(ledger.acknowledged), doubtful: of(ledger.doubtful) }
}

const sum = (map: ReadonlyMap<string, number>, wanted: (key: string) => boolean): number =>
  [...map].reduce((total, [key, n]) => (wanted(key) ? total + n : total), 0)

export const judge = (sent: Ledger, stored: Stored): Verdict => {
  const lost: string[] = []
  const doubled: string[] = []
  const wrong: string[] = [...stored.wrongCounters]

  const events = ids(sent, 'event')
  for (const id of events.acknowledged) {
    if (!stored.telemetry.has(id)) lost.push(`event ${id}: not in telemetry`)
    if (!stored.ledger.has(id)) lost.push(`event ${id}: not in the ledger`)
  }
  for (const id of stored.telemetry.keys()) {
    if (!stored.ledger.has(id)) wrong.push(`event ${id}: in telemetry, but not in the ledger`)
    if (!sent.sendings.has(id)) wrong.push(`event ${id}: never sent`)
  }
  for (const id of stored.ledger.keys())
    if (!stored.telemetry.has(id)) lost.push(`event ${id}: in the ledger, but not in telemetry`)
  for (const [id, n] of stored.telemetry) if (n > 1) doubled.push(`event ${id}: ${n} times in telemetry`)

  for (const cargo of ['transaction', 'attachment'] as const) {
    for (const id of ids(sent, cargo).acknowledged)
      if (!stored.kept.has(`${cargo}:${id}`)) lost.push(`${cargo} ${id}: not kept`)
  }
  for (const [key, n] of stored.kept) if (n > 1) doubled.push(`${key}: kept ${n} times`)

  // Every stored item has one outcome, and nothing else is called accepted.
  const outcome = (key: string): number => stored.outcomes.get(key) ?? 0
  const expectEqual = (what: string, found: number, expected: number): void => {
    if (found !== expected) wrong.push(`${what}: ${found} instead of ${expected}`)
  }
  expectEqual('outcome event:accepted', outcome('event:accepted'), stored.telemetry.size)
  for (const cargo of ['transaction', 'attachment'] as const) {
    expectEqual(
      `outcome ${cargo}:accepted`,
      outcome(`${cargo}:accepted`),
      sum(stored.kept, (key) => key.startsWith(`${cargo}:`)),
    )
  }

  const expectBetween = (what: string, found: number, lowest: number, highest: number): void => {
    if (found < lowest || found > highest) wrong.push(`${what}: ${found}, not within ${lowest} … ${highest}`)
  }
  const eventSendings = [...events.acknowledged, ...events.doubtful].reduce(
    (total, id) => total + (sent.sendings.get(id) ?? 0),
    0,
  )
  expectBetween(
    'outcomes of events',
    sum(stored.outcomes, (key) => /^event:(accepted|duplicate)$/.test(key)),
    events.acknowledged.length,
    eventSendings,
  )
  const reports = ids(sent, 'client_report')
  expectBetween(
    'discards told by client reports',
    outcome('event:client_discard'),
    reports.acknowledged.length * REPORTED_DISCARDS,
    (reports.acknowledged.length + reports.doubtful.length) * REPORTED_DISCARDS,
  )
  return { lost, doubled, wrong }
}
