import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import { createPasswords, judgePassword, PasswordsBusyError } from './passwords.ts'

describe('passwords', () => {
  it('are kept as argon2id with OWASP’s parameters and a salt of their own', async () => {
    const passwords = createPasswords()
    const [one, other] = await Promise.all([passwords.hash('correct horse 1'), passwords.hash('correct horse 1')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(other)
    expect(await passwords.verify('correct horse 1', one)).toEqual({ matches: true, outdated: false })
    expect((await passwords.verify('correct horse 2', one)).matches).toBe(false)
  })

  it('verify a hash that another program made, and want it renewed when its parameters are older', async () => {
    // From the test vectors of the reference implementation (phc-winner-argon2, test.c).
    const stored = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
    const passwords = createPasswords()
    expect(await passwords.verify('password', stored)).toEqual({ matches: true, outdated: true })
    expect((await passwords.verify('differentpassword', stored)).matches).toBe(false)
  })

  it('match nothing when there is no account or the stored text is no hash', async () => {
    const passwords = createPasswords()
    for (const stored of [null, '', 'plain', '$argon2id$v=19$m=99999999,t=2,p=1$c2FsdHNhbHQ$aGFzaA', '$2b$10$abc']) {
      expect(await passwords.verify('anything at all', stored)).toEqual({ matches: false, outdated: false })
    }
  })

  it('are the same however the letters are composed', async () => {
    const passwords = createPasswords()
    const stored = await passwords.hash('Füchse-im-Wald')
    expect((await passwords.verify('Füchse-im-Wald'.normalize('NFD'), stored)).matches).toBe(true)
  })

  it('are not hashed by too many at once', async () => {
    const passwords = createPasswords({ memoryKib: 64, passes: 1 })
    const attempts = Array.from({ length: LIMITS.PASSWORD_HASHES_CONCURRENT + LIMITS.PASSWORD_HASHES_QUEUED + 1 }, () =>
      passwords.verify('x', null).then(
        () => null,
        (error: unknown) => error,
      ),
    )
    const refused = (await Promise.all(attempts)).filter((error) => error !== null)
    expect(refused).toHaveLength(1)
    expect(refused[0]).toBeInstanceOf(PasswordsBusyError)
    expect((await passwords.verify('x', null)).matches).toBe(false)
  })

  it('are refused when short, endless, common, monotonous or one’s own name', () => {
    const personal = ['erika.mustermann@example.com', 'Erika Mustermann']
    for (const password of [
      '',
      'short',
      'x'.repeat(2000),
      'Password123',
      'pass-word-123',
      'qwertyuiop',
      'aaaaaaaaaaaa',
      'abababababab',
      'Erika.Mustermann@example.com',
      'erika mustermann',
    ]) {
      expect(judgePassword(password, personal), password.slice(0, 40)).toEqual(expect.stringMatching(/\.$/))
    }
    for (const password of ['orchid-lantern-42', 'drei grüne Füchse', '長いパスフレーズは強い鍵です']) {
      expect(judgePassword(password, personal), password).toBeNull()
    }
    fc.assert(
      fc.property(fc.string(), (password) => {
        const problem = judgePassword(password, [])
        expect(problem === null || problem.length > 0).toBe(true)
      }),
    )
  })
})
