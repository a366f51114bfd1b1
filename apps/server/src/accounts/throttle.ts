import { isWithin, type Clock } from '../lib/clock.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { LIMITS } from './limits.ts'

export interface Throttle {
  /**
   * Counts an attempt.
   *
   * @returns 0 when it may go ahead, else the seconds to wait
   */
  attempt(key: string): number
  /** Forgets the attempts, after a success. */
  forget(key: string): void
  /** Counts one attempt less. */
  takeBack(key: string): void
}

interface Window {
  startedAt: number
  attempts: number
}

/**
 * At most `limit` attempts per window and key. Remembers at most `capacity` keys; the ones that came first are forgotten
 * first, which is why attempts are counted per account and per address at the same time.
 */
export const createThrottle = (options: {
  readonly clock: Clock
  readonly limit: number
  readonly windowSeconds: number
  readonly capacity: number
}): Throttle => {
  const windows = new RecentMap<string, Window>(options.capacity)
  const windowMs = options.windowSeconds * 1000
  return {
    attempt(key) {
      const now = options.clock.now()
      const known = windows.peek(key)
      if (known !== undefined && isWithin(known.startedAt, windowMs, now)) {
        known.attempts += 1
        return known.attempts <= options.limit ? 0 : Math.ceil((known.startedAt + windowMs - now) / 1000)
      }
      windows.set(key, { startedAt: now, attempts: 1 })
      return 0
    },
    forget: (key) => {
      windows.delete(key)
    },
    takeBack: (key) => {
      const known = windows.peek(key)
      if (known !== undefined && known.attempts > 0) known.attempts -= 1
    },
  }
}

export interface SignInAttempt {
  readonly email: string
  /** Null when there is no such account. */
  readonly userId: number | null
  /** What counts as one address. */
  readonly network: string
}

export interface SignInThrottle {
  /** @returns 0 when the password may be looked at, else the seconds to wait */
  attempt(attempt: SignInAttempt): Promise<number>
  succeeded(attempt: SignInAttempt): void
}

/**
 * Guesses are counted where they come from, so that a stranger's wrong passwords cost the stranger and not the owner of the
 * account: per address, and per account and address. Many addresses together are slowed: above
 * `LOGIN_ATTEMPTS_PER_ACCOUNT_EVERYWHERE` for an account, all addresses that it does not know share one attempt every
 * `LOGIN_SLOWED_SECONDS`. An address that the account has a session from, or has signed in from since the start, is known
 * and never waits for the others, nor for what else was tried from it. A right password is no guess and is not counted.
 *
 * @param options.knownNetworks of the sessions of an account; asked for accounts that do not exist as well, which know none
 */
export const createSignInThrottle = (options: {
  readonly clock: Clock
  readonly knownNetworks: (userId: number | null) => Promise<ReadonlySet<string>>
}): SignInThrottle => {
  const shared = { clock: options.clock, windowSeconds: LIMITS.LOGIN_WINDOW_SECONDS, capacity: LIMITS.LOGIN_REMEMBERED }
  const perAddress = createThrottle({ ...shared, limit: LIMITS.LOGIN_ATTEMPTS_PER_ADDRESS })
  const perAccountAndAddress = createThrottle({ ...shared, limit: LIMITS.LOGIN_ATTEMPTS_PER_ACCOUNT })
  const everywhere = createThrottle({ ...shared, limit: LIMITS.LOGIN_ATTEMPTS_PER_ACCOUNT_EVERYWHERE })
  const slowed = createThrottle({ ...shared, windowSeconds: LIMITS.LOGIN_SLOWED_SECONDS, limit: 1 })
  const signedIn = new RecentMap<string, true>(LIMITS.LOGIN_REMEMBERED)
  const placeOf = ({ email, network }: SignInAttempt): string => `${email}\n${network}`
  const isKnown = async (attempt: SignInAttempt): Promise<boolean> =>
    signedIn.peek(placeOf(attempt)) === true || (await options.knownNetworks(attempt.userId)).has(attempt.network)
  return {
    async attempt(attempt) {
      // In this order: an address that is refused makes no more entries, so it cannot push out those of others.
      const addressWait = perAddress.attempt(attempt.network)
      if (addressWait > 0 && !(await isKnown(attempt))) return addressWait
      const wait = perAccountAndAddress.attempt(placeOf(attempt))
      if (wait > 0 || everywhere.attempt(attempt.email) === 0) return wait
      return (await isKnown(attempt)) ? 0 : slowed.attempt(attempt.email)
    },
    succeeded(attempt) {
      perAddress.takeBack(attempt.network)
      const place = placeOf(attempt)
      perAccountAndAddress.forget(place)
      signedIn.set(place, true)
    },
  }
}
