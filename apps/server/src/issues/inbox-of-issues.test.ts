import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { createIssueApp, sampleEvent, type IssueApp, type TestOrganization } from './test/issue-app.ts'

/** Both engines start here, on machines that may be busy. */
const ENGINES_START_MS = 240_000
const HOUR = 3_600_000

interface Row {
  readonly firstSeen: string
  readonly inbox: { readonly reason: number; readonly date_added: string } | null
}

describe.each(LEDGER_ENGINES)('the inbox of issues, as Sentry’s clients ask for it, on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let path = ''

  beforeAll(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    const [id = 0] = await app.store(acme, [sampleEvent({ kind: 'cart', ago: 2 * HOUR })])
    path = `/organizations/acme/issues/${id}/`
  }, ENGINES_START_MS)
  afterAll(async () => {
    await app.close()
  })

  const read = async (address: string): Promise<unknown> => (await acme.call('GET', address)).body
  /** As the list and the issue itself have it, which say the same. */
  const inbox = async () => {
    const [listed] = (await read('/organizations/acme/issues/?query=&expand=inbox')) as Row[]
    const one = (await read(`${path}?expand=inbox`)) as Row
    expect(one.inbox).toEqual(listed?.inbox)
    return one.inbox
  }
  const change = (body: object) => acme.call('PUT', path, body)

  it('says why an issue waits to be looked at, and since when; nothing to whoever does not ask', async () => {
    const body = (await read(path)) as Row
    expect(body).not.toHaveProperty('inbox')
    expect(await inbox()).toEqual({ reason: 0, reason_details: null, date_added: body.firstSeen })
    await change({ status: 'resolved' })
    expect(await inbox()).toBeNull()
    await app.store(acme, [sampleEvent({ kind: 'cart', ago: -HOUR })])
    const back = await inbox()
    expect(back).toMatchObject({ reason: 2, reason_details: null })
    expect(Date.parse(back?.date_added ?? '')).toBeGreaterThan(Date.parse(body.firstSeen))
    await change({ status: 'resolved' })
    await change({ status: 'unresolved' })
    expect(await inbox()).toBeNull()
  })
})
