import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIssueApp, NOW, sampleEvent } from '../issues/test/issue-app.ts'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { changeRelease, nameRelease, removeRelease } from './ledger/writing.ts'

/** Both engines start here, on machines that may be busy. */
const ENGINES_START_MS = 240_000
const HOUR = 3_600_000

describe.each(LEDGER_ENGINES)('resolved in the next release, with a ledger on $name', (engine) => {
  let app: Awaited<ReturnType<typeof createIssueApp>>
  let acme: Awaited<ReturnType<typeof app.organization>>
  let cart: number

  beforeEach(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    ;[cart = 0] = await app.store(acme, [sent('shop@1.1.0', 9 * HOUR)])
    app.clock.set(NOW - 5 * HOUR)
    await resolveInNext()
    app.clock.set(NOW)
  }, ENGINES_START_MS)
  afterEach(() => app.close())

  const sent = (release: string, ago: number, kind = 'cart') => sampleEvent({ kind, ago, event: { release } })
  const resolveInNext = async (): Promise<void> => {
    const body = { status: 'resolved', statusDetails: { inNextRelease: true } }
    expect((await acme.call('PUT', `/organizations/acme/issues/${cart}/`, body)).status).toBe(200)
  }
  const issue = async (): Promise<Record<string, unknown>> =>
    (await acme.call('GET', `/organizations/acme/issues/${cart}/`)).body
  const found = async (query: string): Promise<number[]> => {
    const { body } = await acme.call('GET', `/organizations/acme/issues/?query=${encodeURIComponent(query)}`)
    return (body as unknown as { id: string }[]).map(({ id }) => Number(id))
  }

  it('L79: is resolved in the release that comes, with whatever event of the project that is', async () => {
    expect(await issue()).toMatchObject({ status: 'resolved', statusDetails: { inNextRelease: true } })
    // Old builds, and those of something else, are not it.
    await app.store(acme, [sent('shop@1.0.0', 3 * HOUR, 'login'), sent('api@7.0.0', 3 * HOUR, 'login')])
    expect(await issue()).toMatchObject({ statusDetails: { inNextRelease: true } })
    expect(await found('resolvedIn:shop@1.0.0')).toEqual([])

    await app.store(acme, [sent('shop@1.2.0', 2 * HOUR, 'login')])
    const settled = await issue()
    expect(settled).toMatchObject({ status: 'resolved', statusDetails: { inRelease: 'shop@1.2.0' } })
    expect(settled['statusDetails']).not.toHaveProperty('inNextRelease')
    expect(settled['activity']).toContainEqual(
      expect.objectContaining({
        type: 'set_resolved_in_release',
        data: expect.objectContaining({ version: 'shop@1.2.0', current_release_version: 'shop@1.1.0' }) as unknown,
      }),
    )
    expect(await found('resolvedIn:shop@1.2.0')).toEqual([cart])

    // One that comes later changes nothing any more; an event of the one before does not bring it back, one of it does.
    await app.store(acme, [sent('shop@1.3.0', HOUR, 'login')])
    await app.store(acme, [sent('shop@1.1.0', HOUR)])
    expect(await issue()).toMatchObject({ status: 'resolved', statusDetails: { inRelease: 'shop@1.2.0' } })
    await app.store(acme, [sent('shop@1.2.0', 0)])
    expect(await issue()).toMatchObject({ status: 'unresolved', substatus: 'regressed' })
    expect(await found('resolvedIn:shop@1.2.0')).toEqual([])
    expect(await found('regressedIn:shop@1.2.0')).toEqual([cart])
  })

  it.each([
    ['the old one first', ['shop@1.1.0', 'shop@1.2.0']],
    ['the new one first', ['shop@1.2.0', 'shop@1.1.0']],
  ])('L79: comes back by an event of the next release, in one batch with one of before: %s', async (_, releases) => {
    await app.store(
      acme,
      releases.map((release) => sent(release, HOUR)),
    )
    const back = await issue()
    expect(back).toMatchObject({ status: 'unresolved', substatus: 'regressed' })
    expect(back['activity']).toContainEqual(
      expect.objectContaining({
        type: 'set_regression',
        data: { version: 'shop@1.2.0', resolved_in: 'shop@1.2.0', compared_by: 'name' },
      }),
    )
  })

  const name = (version: string) =>
    app.ledger.transaction((transaction) =>
      nameRelease(transaction, {
        organizationId: acme.organizationId,
        version,
        projectIds: [acme.projectId],
        now: NOW,
      }),
    )

  it('L79: comes back by the true next release where a stray one came before it', async () => {
    await name('shop@999.0.0')
    expect(await issue()).toMatchObject({ status: 'resolved', statusDetails: { inRelease: 'shop@999.0.0' } })
    await app.store(acme, [sent('shop@1.1.0', 2 * HOUR)])
    expect(await issue()).toMatchObject({ status: 'resolved' })
    await app.store(acme, [sent('shop@1.2.0', HOUR)])
    const back = await issue()
    expect(back).toMatchObject({ status: 'unresolved', substatus: 'regressed' })
    expect(back['activity']).toContainEqual(
      expect.objectContaining({
        type: 'set_regression',
        data: { version: 'shop@1.2.0', resolved_in: 'shop@1.1.0', compared_by: 'version' },
      }),
    )
  })

  it('L79: waits again where the release that came is deleted or archived, and is resolved in another that came', async () => {
    const stray = await name('shop@999.0.0')
    expect(await issue()).toMatchObject({ statusDetails: { inRelease: 'shop@999.0.0' } })
    expect(await removeRelease(app.ledger, stray.id, NOW)).toBe(true)
    const waiting = await issue()
    expect(waiting).toMatchObject({ status: 'resolved', statusDetails: { inNextRelease: true } })
    expect(waiting['statusDetails']).not.toHaveProperty('inRelease')
    expect(await found('resolvedIn:shop@999.0.0')).toEqual([])

    const slip = await name('shop@998.0.0')
    await name('shop@1.2.0')
    expect(await issue()).toMatchObject({ statusDetails: { inRelease: 'shop@998.0.0' } })
    await app.ledger.transaction((transaction) => changeRelease(transaction, slip.id, { status: 'archived' }, NOW))
    expect(await issue()).toMatchObject({ status: 'resolved', statusDetails: { inRelease: 'shop@1.2.0' } })
    // One that events have named stays, and so does what is resolved in it.
    await app.store(acme, [sent('shop@1.2.0', HOUR, 'login')])
    const { id } = await name('shop@1.2.0')
    expect(await removeRelease(app.ledger, id, NOW)).toBe(false)
    expect(await issue()).toMatchObject({ status: 'resolved', statusDetails: { inRelease: 'shop@1.2.0' } })
  })

  it('L79: is bound together with all that wait, each in words of its own, and with those of no other project', async () => {
    const rival = await app.organization('globex')
    const [theirs = 0] = await app.store(rival, [sent('shop@1.1.0', 9 * HOUR)])
    const next = { status: 'resolved', statusDetails: { inNextRelease: true } }
    await rival.call('PUT', `/organizations/globex/issues/${theirs}/`, next)
    const kinds = ['login', 'search', 'basket']
    const ids = await app.store(
      acme,
      kinds.map((kind) => sent('shop@1.1.0', 8 * HOUR, kind)),
    )
    for (const [place, id] of ids.entries()) {
      // At instants of their own, so that the details of no two are alike.
      app.clock.set(NOW - 4 * HOUR + place)
      expect((await acme.call('PUT', `/organizations/acme/issues/${id}/`, next)).status).toBe(200)
    }
    app.clock.set(NOW)
    await name('shop@1.2.0')
    for (const id of [cart, ...ids]) {
      const { body } = await acme.call('GET', `/organizations/acme/issues/${id}/`)
      expect(body).toMatchObject({ status: 'resolved', statusDetails: { inRelease: 'shop@1.2.0' } })
      expect(body['activity']).toContainEqual(
        expect.objectContaining({
          type: 'set_resolved_in_release',
          data: expect.objectContaining({ version: 'shop@1.2.0' }) as unknown,
        }),
      )
    }
    const { body: other } = await rival.call('GET', `/organizations/globex/issues/${theirs}/`)
    expect(other).toMatchObject({ statusDetails: { inNextRelease: true } })
  })

  it('L79: stays resolved in a release that is named before its first event, until that comes back in it', async () => {
    await name('shop@1.2.0')
    expect(await issue()).toMatchObject({ status: 'resolved', statusDetails: { inRelease: 'shop@1.2.0' } })
    await app.store(acme, [sent('shop@1.1.0', HOUR)])
    expect(await issue()).toMatchObject({ status: 'resolved' })
    await app.store(acme, [sent('shop@1.2.0', 0)])
    expect(await issue()).toMatchObject({ status: 'unresolved', substatus: 'regressed' })
    // Resolved anew: the newest of now is not the next one, however often it is seen or named.
    await resolveInNext()
    await app.store(acme, [sent('shop@1.2.0', 0, 'login')])
    expect(await issue()).toMatchObject({ status: 'resolved', statusDetails: { inNextRelease: true } })
  })
})
