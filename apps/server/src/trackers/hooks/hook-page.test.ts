import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { hookRequest, type Double } from '../test/double.ts'
import { startJiraCloud } from '../test/jira-double.ts'
import { startGitlab } from '../test/gitlab-double.ts'
import { addressed, HOOK_SECRET, openTrackers, type OpenedTrackers } from '../test/open-trackers.ts'
import { startGithub } from '../test/repository-double.ts'
import { createHookPage } from './hook-page.ts'
import { makeStandardSecret } from './signatures.ts'

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

  describe('of a GitLab that signs them', () => {
    /** As GitLab does it: the key is what stands in Base64 behind `whsec_`. */
    const bySigning = (
      secret: string,
      {
        at = opened.clock.now(),
        deliveryId = 'one',
        body: sent,
      }: { at?: number; deliveryId?: string; body?: string } = {},
    ): Request => {
      const body = JSON.stringify({
        object_kind: 'issue',
        project: { path_with_namespace: 'acme/web/shop' },
        object_attributes: { iid: 1, state: 'closed' },
      })
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      const seconds = String(Math.floor(at / 1000))
      const signature = createHmac('sha256', key).update(`${deliveryId}.${seconds}.${body}`).digest('base64')
      return hookRequest(sent ?? body, {
        'x-gitlab-event': 'Issue Hook',
        'webhook-id': deliveryId,
        'webhook-timestamp': seconds,
        // Two, while it is changed.
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} v1,${signature}`,
      })
    }
    const beginWith = async (sealed: { readonly hook: string; readonly webhookSecret?: string }): Promise<string> => {
      const id = await begin(startGitlab)
      const { hook, webhookSecret } = sealed
      const connection = { organizationId: 1, id: desk.trackerId, version: 1 }
      await desk.trackers.change(connection, { sealed: { hook, secrets: { ...double.secrets, webhookSecret } } })
      return id
    }

    it('are heard by a secret of ours that is its signing token', async () => {
      const hook = makeStandardSecret()
      const id = await beginWith({ hook })
      double.set(id, 'closed')
      expect(await desk.told(bySigning(hook))).toBe('Thank you.')
      expect(await desk.told(bySigning(hook))).toBe('This came before.')
      await desk.settle()
      expect(await desk.status()).toBe('resolved')
      // One that does not sign sends it as it is.
      expect(await desk.hear(double.hook(id, hook))).toBe(200)
    })

    it('A64: are refused when another signed them, when they are old, and when something else came', async () => {
      const hook = makeStandardSecret()
      const id = await beginWith({ hook })
      double.set(id, 'closed')
      expect(await desk.hear(bySigning(makeStandardSecret()))).toBe(401)
      expect(await desk.hear(bySigning(hook, { body: '{}' }))).toBe(401)
      expect(await desk.hear(bySigning(hook, { at: opened.clock.now() - 61_000 }))).toBe(401)
      await desk.settle()
      expect(await desk.status()).toBe('unresolved')
    })

    it('are taken by nothing but its own signing token where that was entered', async () => {
      const [hook, webhookSecret] = [makeStandardSecret(), makeStandardSecret()]
      const id = await beginWith({ hook, webhookSecret })
      expect(await desk.hear(double.hook(id, hook))).toBe(401)
      expect(await desk.hear(bySigning(hook))).toBe(401)
      expect(await desk.hear(bySigning(webhookSecret))).toBe(200)
    })
  })
})
