import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { LIMITS } from './limits.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

/**
 * Passwords are kept as argon2id in PHC string form: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`, with the parameters
 * that OWASP's Password Storage Cheat Sheet recommends. Stored strings carry their own parameters, so these may be raised:
 * `verify` tells when a password should be hashed anew.
 */
export interface PasswordCost {
  readonly memoryKib: number
  readonly passes: number
}

const COST: PasswordCost = { memoryKib: 19 * 1024, passes: 2 }
const PARALLELISM = 1
const SALT_BYTES = 16
const TAG_BYTES = 32

const derive = promisify(argon2)

interface Parsed {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Buffer
  readonly tag: Buffer
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

const parse = (stored: string): Parsed | null => {
  const [, memory = '', passes = '', parallelism = '', salt = '', tag = ''] = PHC.exec(stored) ?? []
  if (tag === '') return null
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** Too many people sign in at this moment. */
export class PasswordsBusyError extends Error {
  override readonly name = 'PasswordsBusyError'
}

/** Hashing takes much memory and a core, on purpose: only few run at a time, and not too many wait. */
const createGate = (concurrent: number, queued: number) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (running >= concurrent) {
      if (waiting.length >= queued) throw new PasswordsBusyError('Too many sign-ins at once')
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

export interface Passwords {
  /** @throws PasswordsBusyError */
  hash(password: string): Promise<string>
  /**
   * Takes the same time whether or not there is an account: with `null` it works on a hash of nobody's.
   *
   * @throws PasswordsBusyError
   */
  verify(password: string, stored: string | null): Promise<{ readonly matches: boolean; readonly outdated: boolean }>
}

/** @param cost tests that are about something else take less */
export const createPasswords = (cost: PasswordCost = COST): Passwords => {
  const gate = createGate(LIMITS.PASSWORD_HASHES_CONCURRENT, LIMITS.PASSWORD_HASHES_QUEUED)

  const tagOf = (password: string, { memory, passes, parallelism, salt, tag }: Parsed): Promise<Uint8Array> =>
    gate(() =>
      derive('argon2id', {
        message: password.normalize('NFKC'),
        nonce: salt,
        memory,
        passes,
        parallelism,
        tagLength: tag.length,
      }),
    )

  const fresh = (): Parsed => ({
    memory: cost.memoryKib,
    passes: cost.passes,
    parallelism: PARALLELISM,
    salt: randomBytes(SALT_BYTES),
    tag: Buffer.alloc(TAG_BYTES),
  })

  const nobody = fresh()

  return {
    async hash(password) {
      const parameters = fresh()
      const tag = await tagOf(password, parameters)
      return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${PARALLELISM}$${base64(parameters.salt)}$${base64(tag)}`
    },
    async verify(password, stored) {
      const parsed = stored === null ? null : parse(stored)
      const tag = await tagOf(password, parsed ?? nobody)
      if (parsed === null) return { matches: false, outdated: false }
      const { memory, passes, parallelism } = parsed
      return {
        matches: timingSafeEqual(tag, parsed.tag),
        outdated: memory !== cost.memoryKib || passes !== cost.passes || parallelism !== PARALLELISM,
      }
    },
  }
}

/**
 * @param personal the account's own words (e-mail, name), which are no passwords either
 * @returns what is wrong with a new password, for the person who chose it; null when nothing is
 */
export const judgePassword = (password: string, personal: readonly string[]): string | null => {
  const characters = Array.from(password).length
  if (characters < LIMITS.PASSWORD_MIN_CHARACTERS) {
    return `Use at least ${LIMITS.PASSWORD_MIN_CHARACTERS} characters; a few unrelated words are easy to remember.`
  }
  if (characters > LIMITS.PASSWORD_MAX_CHARACTERS) return `Use at most ${LIMITS.PASSWORD_MAX_CHARACTERS} characters.`
  const plain = password.toLowerCase().trim()
  const bare = plain.replaceAll(/[^\p{L}\p{N}]/gu, '')
  if (new Set(plain).size <= 3) return 'Use more than three different characters.'
  if (COMMON_PASSWORDS.has(plain) || COMMON_PASSWORDS.has(bare)) {
    return 'This is one of the passwords that are tried first. Use something less common.'
  }
  const own = personal.map((word) => word.toLowerCase().trim()).filter((word) => word !== '')
  if (own.some((word) => plain === word)) return 'Use something else than your own name or e-mail address.'
  return null
}
