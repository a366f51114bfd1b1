import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
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
  return { organizationId: organization?.id ?? 0, projectId, issueIds: [7, 8], opened: [8], at: Date.UTC(2026, 0, 1) }
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

  it('end when the server stops', async () => {
    const stream = await open()
    await stream.read()
    test.live.close()
    expect(await stream.read()).toBe('END')
    expect((await open()).status).toBe(503)
  })
})
