import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { finding, type Finding } from '../../lib/findings.ts'
import { instantText } from '../../lib/instant-text.ts'
import { LIMITS } from '../limits.ts'
import type { Ledger } from '../ledger/ledger.ts'

/**
 * Keeps a clock that leapt ahead from emptying the stores: whatever is removed for its age asks here first.
 *
 * The ledger knows when the clock was last looked at. A clock that is more than `CLOCK_LEAP_MS` ahead of that is either
 * wrong, or the server was off for so long; nothing in reach can tell which. So both end well: nothing is removed until
 * somebody sets the clock, or says that it is right (`firsthand trust-clock`), or it has run on from there for
 * `CLOCK_TRUST_MS`, by which time a wrong one would have been noticed. A clock that was set back does no harm: less is old
 * by it.
 */
export interface ClockGuard {
  /** Looks at the clock. Null when it is believed. */
  doubt(): Promise<Doubt | null>
  /** The last answer, unless the clock was set right since. */
  current(): Doubt | null
}

type Doubt = Omit<Finding, 'since'>

const KEY = 'clock_seen_at'
const DOUBT_KEY = 'clock_doubt'

/** How long a clock that is doubted has run on, over all starts of the server. */
interface RunOn {
  /** What the clock leapt from. */
  readonly seenAt: number
  /** What it said when it was last looked at. */
  readonly now: number
  readonly ranOnMs: number
}

const keep = async (ledger: Ledger, key: string, value: string): Promise<void> => {
  await ledger.db
    .insertInto('installation')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ value: row.ref('excluded.value') })))
    .execute()
}

const read = async (ledger: Ledger, key: string): Promise<string | null> => {
  const row = await ledger.db.selectFrom('installation').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value ?? null
}

/** From now on, this is when the clock was last looked at. */
export const trustClock = (ledger: Ledger, now: number): Promise<void> => keep(ledger, KEY, String(now))

const readSeenAt = async (ledger: Ledger): Promise<number | null> => {
  const value = await read(ledger, KEY)
  const seenAt = Number(value)
  return value === null || !Number.isFinite(seenAt) ? null : seenAt
}

const readRunOn = async (ledger: Ledger): Promise<RunOn | null> => {
  const [seenAt = NaN, now = NaN, ranOnMs = NaN] = ((await read(ledger, DOUBT_KEY)) ?? '').split(' ').map(Number)
  return [seenAt, now, ranOnMs].every(Number.isFinite) ? { seenAt, now, ranOnMs } : null
}

export const createClockGuard = ({
  ledger,
  clock,
  uptime = () => performance.now(),
}: {
  readonly ledger: Ledger
  readonly clock: Clock
  /** Milliseconds by the monotonic clock. */
  readonly uptime?: () => number
}): ClockGuard => {
  /** What this process knows: from there on, clock and uptime have to go together. */
  let doubted: (RunOn & { readonly uptime: number }) | null = null
  let hasBelieved = false
  let answer: Doubt | null = null

  const believe = async (now: number, seenAt: number | null): Promise<null> => {
    // A machine whose clock has no battery starts in the past. What was seen before then stays, until the clock is set
    // back while this process looks.
    if (seenAt === null || now >= seenAt || hasBelieved) await trustClock(ledger, now)
    hasBelieved ||= seenAt === null || now >= seenAt
    doubted = null
    return null
  }

  const look = async (): Promise<Doubt | null> => {
    const now = clock.now()
    const seenAt = await readSeenAt(ledger)
    if (seenAt === null || now - seenAt <= LIMITS.CLOCK_LEAP_MS) return believe(now, seenAt)
    const running = uptime()
    if (doubted === null) {
      // A server that was stopped meanwhile goes on from what it had; the time in which it was off does not count.
      const before = await readRunOn(ledger)
      const goesOn =
        before !== null && before.seenAt === seenAt && now >= before.now && now - before.now <= LIMITS.CLOCK_LEAP_MS
      doubted = { seenAt, now, ranOnMs: goesOn ? before.ranOnMs : 0, uptime: running }
    }
    // Another leap, or another server that sees another time, begins the wait anew.
    const ranOn =
      doubted.seenAt === seenAt && Math.abs(now - doubted.now - (running - doubted.uptime)) <= LIMITS.CLOCK_LEAP_MS
    if (!ranOn) doubted = { seenAt, now, ranOnMs: 0, uptime: running }
    const ranOnMs = doubted.ranOnMs + running - doubted.uptime
    if (ranOnMs >= LIMITS.CLOCK_TRUST_MS) return believe(now, seenAt)
    await keep(ledger, DOUBT_KEY, [seenAt, now, ranOnMs].join(' '))
    const days = Math.round((now - seenAt) / DAY_MS)
    return finding(
      'clock',
      `The server’s clock says ${instantText(now)}, ${days} days later than ${instantText(seenAt)}. Until that is settled, no data is deleted for being old. If the clock is wrong, correct it. If it is right (the server was off), run \`npx firsthand trust-clock\`. After two days it is accepted anyway.`,
    )
  }

  return {
    doubt: async () => (answer = await look()),
    current: () => (doubted !== null && clock.now() - doubted.seenAt <= LIMITS.CLOCK_LEAP_MS ? null : answer),
  }
}
