import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { hookRequest, type Double } from '../test/double.ts'
import { startJiraCloud } from '../test/jira-double.ts'
import { addressed, HOOK_SECRET, openTrackers, type OpenedTrackers } from '../test/open-trackers.ts'
import { startGithub } from '../test/repository-double.ts'
import { createHookPage } from './hook-page.ts'

const [SQLITE] = LEDGER_ENGINES
if (SQLITE === undefined) throw new Error('there is nothing to test with')

const signed = (body: string): string => `sha256=${createHmac('sha256', HOOK_SECRET).update(body).digest('hex')}`

describe('webhooks', () => {
  let opened: OpenedLedger
  let double: Double
  let desk: OpenedTrackers

  const begin = async (start: () => Promise<Double>): Promise<string> => {
    double = await start()
    desk = await openTrackers(opened, double)
    await desk.make()
    await desk.settle()
    return double.tickets[0]?.id ?? ''
  }
  /** As a rule of Jira's automation sends it: without an id. */
  const byRule = (json: unknown): Request => {
    const body = JSON.stringify(json)
    return hookRequest(body, { 'x-hub-signature': signed(body) })
  }

  beforeEach(async () => {
    opened = await SQLITE.open()
  })
  afterEach(async () => {
    await double.close()
    await opened.close()
  })

  it('without an id are heard each time, also where they say the same', async () => {
    const id = await begin(startJiraCloud)
    for (const state of ['closed', 'open', 'closed'] as const) {
      double.set(id, state)
      expect(await desk.hear(byRule({ issue: { id } }))).toBe(200)
      await desk.settle()
      expect(await desk.status()).toBe(state === 'closed' ? 'resolved' : 'unresolved')
    }
  })

  it('of Jira may be the issue itself', async () => {
    const id = await begin(startJiraCloud)
    double.set(id, 'closed')
    expect(await desk.told(byRule({ id: Number(id), key: 'SHOP-1', fields: {} }))).toBe('Thank you.')
    await desk.settle()
    expect(await desk.status()).toBe('resolved')
  })

  it('are told when nothing follows from them', async () => {
    await begin(startJiraCloud)
    expect(await desk.told(byRule({ webhookEvent: 'user_created', id: 7 }))).toContain('Nothing of this')
    expect(await desk.told(byRule({ issue: { id: '77777' } }))).toContain('No ticket here')
  })

  it('of GitHub may be a form', async () => {
    const id = await begin(startGithub)
    double.set(id, 'closed')
    const payload = { action: 'closed', issue: { number: Number(id) }, repository: { full_name: 'acme/shop' } }
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
    const hook = hookRequest(body, {
      'content-type': 'application/x-www-form-urlencoded',
      'x-github-event': 'issues',
      'x-github-delivery': 'one',
      'x-hub-signature-256': signed(body),
    })
    expect(await desk.told(hook)).toBe('Thank you.')
    await desk.settle()
    expect(await desk.status()).toBe('resolved')
  })

  it('are heard when they come again after a server that died while it heard them', async () => {
    const id = await begin(startGithub)
    double.set(id, 'closed')
    const hook = (): Request => double.hook(id, HOOK_SECRET, { deliveryId: 'one' })
    const { trackers, hooks } = desk
    const dying = createHookPage({
      trackers,
      hooks,
      tickets: { heard: () => Promise.reject(new Error('killed')) },
      clock: opened.clock,
      heard: () => {},
    })
    await expect(dying.handle(addressed(hook()))).rejects.toThrow('killed')
    expect(await desk.told(hook())).toBe('Thank you.')
    await desk.settle()
    expect(await desk.status()).toBe('resolved')
  })
})
