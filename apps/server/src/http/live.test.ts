import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentCaller, onBehalfOf } from '../lib/caller-context.ts'
import { StatementRefusal } from '../lib/statement-refusal.ts'
import { LIMITS } from './limits.ts'
import { createLive } from './live.ts'
import { createTestApp } from './test/app.ts'
import type { TestApp, Visitor } from './test/app.ts'

let test: TestApp
let owner: Visitor & { readonly projectId: number }

beforeEach(async () => {
  test = await createTestApp()
  owner = await test.owner('acme')
})

afterEach(() => test.close())

const open = async (query = '', cookie = owner.cookie) => {
  const response = await test.send(`/api/0/organizations/acme/live/${query}`, {
    headers: { cookie, host: 'localhost' },
  })
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    read: async (): Promise<string> => {
      const chunk = await reader?.read()
      return chunk?.done === false ? decoder.decode(chunk.value) : 'END'
    },
    cancel: () => reader?.cancel(),
  }
}

const update = async (more: { projectId?: number; organization?: string } = {}) => {
  const organization = await test.accounts.store.organizationBySlug(more.organization ?? 'acme')
  const projectId = more.projectId ?? owner.projectId
  const data = { issueIds: ['7', '8'], opened: ['8'] }
  return { topic: 'issues', organizationId: organization?.id ?? 0, projectId, data, at: Date.UTC(2026, 0, 1) }
}

describe('live updates', () => {
  it('reach those who may see them, in the contract’s shape', async () => {
    const stream = await open()
    expect([stream.status, stream.type]).toEqual([200, 'text/event-stream'])
    expect(await stream.read()).toContain('retry:')
    await test.owner('globex')
    test.live.publish(await update({ organization: 'globex' }))
    test.live.publish(await update())
    expect(await stream.read()).toBe(
      `event: issues\ndata: {"projectId":"${owner.projectId}","issueIds":["7","8"],"opened":["8"],"at":"2026-01-01T00:00:00.000Z"}\n\n`,
    )
    await stream.cancel()
    expect(test.live.size).toBe(0)
  })

  it('are heard in the server as well, whoever else listens', async () => {
    const heard: unknown[] = []
    test.live.hear((news) => heard.push(news))
    const news = await update()
    test.live.publish(news)
    expect(heard).toEqual([news])
  })

  it('begin with those that a page missed while it was loading, of its organisation and projects', async () => {
    const made = await owner.call('POST', '/organizations/acme/projects/', { name: 'Other' })
    await test.owner('globex')
    test.live.publish(await update({ organization: 'globex' }))
    test.live.publish(await update({ projectId: Number((made.body as unknown as { id: string }).id) }))
    test.live.publish(await update())
    const stream = await open('?project=web')
    expect(await stream.read()).toContain('retry:')
    expect(await stream.read()).toContain(`"projectId":"${owner.projectId}"`)
    test.live.publish({ ...(await update()), topic: 'next' })
    expect(await stream.read()).toContain('event: next')
  })

  it('begin with no more than so many of them, the newest', async () => {
    for (let number = 0; number <= LIMITS.LIVE_REPEATED_UPDATES; number += 1) {
      test.live.publish({ ...(await update()), topic: `number-${number}` })
    }
    const stream = await open()
    expect(await stream.read()).toContain('retry:')
    expect(await stream.read()).toContain('event: number-1\n')
    test.live.publish({ ...(await update()), topic: 'last' })
    for (let number = 2; number <= LIMITS.LIVE_REPEATED_UPDATES; number += 1) await stream.read()
    expect(await stream.read()).toContain('event: last')
  })

  it('can be asked for some projects, by slug or id, of the own organisation', async () => {
    const made = await owner.call('POST', '/organizations/acme/projects/', { name: 'Other' })
    const other = Number((made.body as unknown as { id: string }).id)
    const stream = await open('?project=web')
    await stream.read()
    test.live.publish(await update({ projectId: other }))
    test.live.publish(await update())
    expect(await stream.read()).toContain(`"projectId":"${owner.projectId}"`)
    expect((await open('?project=nothing')).status).toBe(404)
    expect((await open(`?project=${other}&project=web`)).status).toBe(200)
  })

  it('end for the oldest view when one person opens too many, and for a reader that does not read', async () => {
    const streams = []
    for (let count = 0; count <= LIMITS.LIVE_STREAMS_PER_CALLER; count += 1) streams.push(await open())
    expect(test.live.size).toBe(LIMITS.LIVE_STREAMS_PER_CALLER)
    await streams[0]?.read()
    expect(await streams[0]?.read()).toBe('END')
    const fact = await update()
    for (let count = 0; count < LIMITS.LIVE_QUEUED_UPDATES + 2; count += 1) test.live.publish(fact)
    expect(test.live.size).toBe(0)
  })

  it('end with the next heartbeat when another process took the right to read, and outlast a ledger that is away', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
    try {
      let answer = (): Promise<boolean> => Promise.reject(new Error('the ledger is away'))
      const live = createLive()
      live.subscribe({ organizationId: 1, projectIds: null, owner: 'a', userId: 1, mayStay: () => answer() })
      live.subscribe({ organizationId: 1, projectIds: null, owner: 'b', userId: 2, mayStay: async () => true })
      await vi.advanceTimersByTimeAsync(LIMITS.LIVE_HEARTBEAT_SECONDS * 1000)
      expect(live.size).toBe(2)
      answer = async () => false
      await live.review(2)
      expect(live.size).toBe(2)
      await vi.advanceTimersByTimeAsync(LIMITS.LIVE_HEARTBEAT_SECONDS * 1000)
      expect(live.size).toBe(1)
      live.close()
    } finally {
      vi.useRealTimers()
    }
  })

  it('end when the ledger does not say twice whether they may stay, and ask it as the server itself', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
    try {
      const answers: (() => Promise<boolean>)[] = []
      const refuse = () => Promise.reject(new StatementRefusal('lost'))
      const callers: unknown[] = []
      const mayStay = () => {
        callers.push(currentCaller())
        return (answers.shift() ?? refuse)()
      }
      const live = createLive()
      onBehalfOf({ organizationId: 1, caller: 'user:1' }, () =>
        live.subscribe({ organizationId: 1, projectIds: null, owner: 'a', userId: 1, mayStay }),
      )
      const beat = () => vi.advanceTimersByTimeAsync(LIMITS.LIVE_HEARTBEAT_SECONDS * 1000)
      answers.push(refuse, async () => true, refuse)
      for (let count = 0; count < 3; count += 1) await beat()
      expect(live.size).toBe(1)
      await beat()
      expect(live.size).toBe(0)
      expect(callers).toEqual([null, null, null, null])
    } finally {
      vi.useRealTimers()
    }
  })

  it('end when the server stops', async () => {
    const stream = await open()
    await stream.read()
    test.live.close()
    expect(await stream.read()).toBe('END')
    expect((await open()).status).toBe(503)
  })
})
