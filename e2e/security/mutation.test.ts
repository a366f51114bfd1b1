import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setUpAnother } from '../lib/account.ts'
import { freshFolder, removeFolder, setUp, startFirsthand } from '../faults/lib/firsthand.ts'
import type { Firsthand } from '../faults/lib/firsthand.ts'
import { runMutation } from './lib/mutation.ts'

const REQUESTS = 1000

describe('mutated requests', () => {
  const dataDir = freshFolder()
  let server: Firsthand

  beforeAll(async () => {
    server = await startFirsthand({ dataDir })
  })
  afterAll(async () => {
    await server.killAll()
    removeFolder(dataDir)
  })

  it('each item in is an outcome out, nothing fails, and the events of others arrive once', async () => {
    const counted = await setUp(dataDir, server.port)
    const another = (organization: string) =>
      setUpAnother(server, {
        email: `owner@${organization}.example`,
        password: 'another long passphrase',
        organization,
        project: 'shop',
      })
    const other = await another('zeta')
    const canary = await another('birds')
    const figures = await runMutation({
      server,
      counted,
      other,
      canary,
      requests: REQUESTS,
      // So many requests, however long they take.
      maxSeconds: 600,
      seed: 20_261_122,
    })
    expect(figures.failures).toEqual([])
    expect(figures.itemsIn).toBeGreaterThan(figures.requests / 3)
    expect(figures.canaries).toBeGreaterThan(2)
  })
})
