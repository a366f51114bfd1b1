import { describe, expect, it } from 'vitest'
import { createIssueApp, NOW, sampleEvent } from '../issues/test/issue-app.ts'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { createLedgerReleaseView } from './ledger/release-view.ts'

/** Both engines start here, on machines that may be busy. */
const ENGINES_START_MS = 240_000
const HOUR = 3_600_000

describe.each(LEDGER_ENGINES)('what happened in a release, with a ledger on $name', (engine) => {
  it(
    'L83: is what one counts by hand: new, come back, resolved',
    async () => {
      const app = await createIssueApp(engine)
      const acme = await app.organization('acme')
      const rival = await app.organization('rival')
      const sent = (kind: string, release: string, ago: number) => sampleEvent({ kind, ago, event: { release } })
      const found = async (query: string, place = acme, slug = 'acme'): Promise<number[]> => {
        const search = encodeURIComponent(query)
        const { status, body } = await place.call('GET', `/organizations/${slug}/issues/?query=${search}`)
        expect(status, JSON.stringify(body)).toBe(200)
        return (body as unknown as { id: string }[]).map(({ id }) => Number(id)).toSorted((a, b) => a - b)
      }
      try {
        const [cart = 0, login = 0, search = 0] = await app.store(acme, [
          sent('cart', 'web@1.0.0', 9 * HOUR),
          sent('login', 'web@1.0.0', 9 * HOUR),
          sent('search', 'web@1.1.0', 8 * HOUR),
        ])
        const [theirs = 0] = await app.store(rival, [sent('cart', 'web@1.0.0', 9 * HOUR)])
        const resolve = (place: typeof acme, slug: string, id: number, inRelease: string) =>
          place.call('PUT', `/organizations/${slug}/issues/${id}/`, {
            status: 'resolved',
            statusDetails: { inRelease },
          })
        app.clock.set(NOW - 5 * HOUR)
        await resolve(acme, 'acme', cart, 'web@1.1.0')
        await resolve(acme, 'acme', search, 'web@1.2.0')
        await resolve(rival, 'rival', theirs, 'web@1.1.0')
        await app.store(rival, [sent('cart', 'web@1.1.0', 2 * HOUR)])
        // Twice, and once in another that is newer still: it came back in the first.
        await app.store(acme, [
          sent('cart', 'web@1.1.0', 2 * HOUR),
          sent('cart', 'web@1.1.0', HOUR),
          sent('cart', 'web@1.2.0', HOUR),
          sent('profile', 'web@1.1.0', HOUR),
        ])
        const profile = (await found('firstRelease:"web@1.1.0"')).find((id) => id !== search) ?? 0
        expect(await found('firstRelease:"web@1.0.0"')).toEqual([cart, login])
        expect(await found('firstRelease:"web@1.1.0"')).toEqual([search, profile])
        expect(await found('regressedIn:"web@1.1.0"')).toEqual([cart])
        expect(await found('regressedIn:"web@1.2.0"')).toEqual([])
        expect(await found('regressedIn:web@1*')).toEqual([cart])
        expect(await found('!regressedIn:"web@1.1.0"')).toEqual([login, search, profile])
        // It is not resolved any more.
        expect(await found('resolvedIn:"web@1.1.0"')).toEqual([])
        expect(await found('resolvedIn:"web@1.2.0"')).toEqual([search])
        expect(await found('regressedIn:"web@1.1.0"', rival, 'rival')).toEqual([theirs])
        const view = createLedgerReleaseView({ ledger: app.ledger })
        const release = await view.release(acme.organizationId, 'web@1.1.0')
        expect(release).toMatchObject({ newIssues: 2, regressedIssues: 1 })
        expect(await view.release(acme.organizationId, 'web@1.0.0')).toMatchObject({ newIssues: 2, regressedIssues: 0 })
      } finally {
        await app.close()
      }
    },
    ENGINES_START_MS,
  )
})
