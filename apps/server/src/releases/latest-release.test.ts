import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIssueApp, NOW, sampleEvent } from '../issues/test/issue-app.ts'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { nameRelease } from './ledger/writing.ts'

/** Both engines start here, on machines that may be busy. */
const ENGINES_START_MS = 240_000
const HOUR = 3_600_000

describe.each(LEDGER_ENGINES)('searches for releases, with a ledger on $name', (engine) => {
  let app: Awaited<ReturnType<typeof createIssueApp>>
  let acme: Awaited<ReturnType<typeof app.organization>>

  beforeEach(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
  }, ENGINES_START_MS)
  afterEach(() => app.close())

  const sent = (kind: string, release: string, ago: number) => sampleEvent({ kind, ago, event: { release } })
  const found = async (query: string): Promise<number[]> => {
    const search = encodeURIComponent(query)
    const { status, body } = await acme.call('GET', `/organizations/acme/issues/?query=${search}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return (body as unknown as { id: string }[]).map(({ id }) => Number(id)).toSorted((a, b) => a - b)
  }

  it('the latest is the newest of which an event came, whatever a build has named since', async () => {
    const [cart = 0, login = 0] = await app.store(acme, [
      sent('cart', 'shop@1.1.0', 3 * HOUR),
      sent('login', 'shop@1.2.0', 2 * HOUR),
      sent('cart', 'shop@1.0.9', HOUR),
    ])
    const { organizationId, projectId } = acme
    for (const version of ['shop@1.3.0', '8d1f0c2e9b7a']) {
      await app.ledger.transaction((transaction) =>
        nameRelease(transaction, { organizationId, version, projectIds: [projectId], now: NOW }),
      )
    }
    expect(await found('release:latest')).toEqual([login])
    expect(await found('firstRelease:latest')).toEqual([login])
    await app.store(acme, [sent('cart', 'shop@1.3.0', 0)])
    expect(await found('release:latest')).toEqual([cart])
  })

  it('a version alone is asked for as such, or with a wildcard for its package', async () => {
    const [cart = 0] = await app.store(acme, [sent('cart', 'shop@1.1.0+7', HOUR), sent('login', 'shop@1.10.0', HOUR)])
    expect(await found('release:1.1.0')).toEqual([])
    for (const query of ['release.version:1.1.0', 'release:*@1.1.0+7', 'firstRelease:*@1.1.0+7']) {
      expect(await found(query), query).toEqual([cart])
    }
  })
})
