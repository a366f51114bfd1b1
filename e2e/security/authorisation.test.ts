import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshFolder, removeFolder, startFirsthand } from '../faults/lib/firsthand.ts'
import type { Firsthand } from '../faults/lib/firsthand.ts'
import { controlAuthorisation, probeAuthorisation, probeIngest, probeSearches } from './lib/authorisation.ts'
import { buildWorld } from './lib/world.ts'
import type { World } from './lib/world.ts'

/** Those who differ most; `npm run test:security` asks as everybody. */
const CHOSEN = [
  'anonymous',
  'expired token',
  'rival owner',
  'rival token of an owner of both',
  'rival owner, own slug with foreign ids',
  'owner without CSRF token',
  'viewer',
  'admin',
  'token event:read',
  'token org:ci',
  'personal token of who became a viewer',
  'personal token of a member who was removed',
]

describe('every endpoint, asked by those who may not', () => {
  const dataDir = freshFolder()
  let server: Firsthand
  let world: World

  beforeAll(async () => {
    // The victim's channel calls the server itself.
    server = await startFirsthand({ dataDir, environment: { FIRSTHAND_REACHABLE_RANGES: '127.0.0.1' } })
    world = await buildWorld(server)
  })
  afterAll(async () => {
    await server.killAll()
    removeFolder(dataDir)
  })

  it('refuses them, tells them nothing, and changes nothing', async () => {
    const chosen = world.principals.filter(({ name }) => CHOSEN.includes(name))
    expect(chosen).toHaveLength(CHOSEN.length)
    const { failures, probes } = await probeAuthorisation(world, chosen)
    expect(failures).toEqual([])
    expect([...probes.values()].every((count) => count > 100)).toBe(true)
  })

  it('lets nobody in at the ingest routes who has no key of the project', async () => {
    expect((await probeIngest(world)).failures).toEqual([])
  })

  it('finds nothing of another organisation, whatever a list is searched for', async () => {
    const { failures, found } = await probeSearches(world)
    expect(failures).toEqual([])
    expect([...found]).toEqual(expect.arrayContaining(['listMonitors', 'listMembers', 'listProjects', 'listIssues']))
  })

  it('would have done all of it for the owner', async () => {
    expect(await controlAuthorisation(world)).toEqual([])
  })
})
