import { afterAll, beforeAll, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization, silentLogger, testClock } from '../../storage/conformance/engines.ts'
import { BASE_TIME } from '../../issues/test/sample-events.ts'
import { createBlobFreeing } from '../../storage/blobs/freeing.ts'
import { releaseBlobs } from '../../storage/ledger/release-blobs.ts'
import { createDeletionJobs, freedForJob } from '../ledger/deletion-jobs.ts'
import { LIMITS } from '../limits.ts'
import { createJobRunner, type JobParts } from './run-jobs.ts'

const [engine] = LEDGER_ENGINES
let opened: Awaited<ReturnType<NonNullable<typeof engine>['open']>>

beforeAll(async () => {
  if (engine === undefined) throw new Error('no engine')
  opened = await engine.open()
  const { db } = opened.ledger
  await seedOrganization(opened.ledger)
  await db
    .insertInto('organizations')
    .values({ slug: 'zeta', name: 'Zeta', retention_days: 90, settings: '{}', created_at: BASE_TIME })
    .execute()
  await db
    .insertInto('users')
    .values({ id: 1, email: 'ada@acme.example', name: 'Ada', password_hash: '', preferences: '{}', created_at: 0 })
    .execute()
  await db
    .insertInto('projects')
    .values({
      organization_id: 2,
      slug: 'site',
      name: 'site',
      platform: 'javascript',
      settings: '{}',
      last_issue_number: 0,
      created_at: BASE_TIME,
    })
    .execute()
}, 60_000)
afterAll(() => opened.close())

const SITE = 3

/** Jobs of visitors of whom so many parts are left, by project; notes whose part was deleted. */
const running = (
  left: Record<number, number>,
  fails: (projectId: number) => boolean = () => false,
  removed: () => void = () => {},
) => {
  const clock = testClock(BASE_TIME)
  const jobs = createDeletionJobs({ ledger: opened.ledger, clock })
  const order: number[] = []
  /** Each blob takes ten bytes. */
  const stored = new Set<string>()
  const freeing = () =>
    createBlobFreeing({
      ledger: opened.ledger,
      client: {} as never,
      columns: [],
      blobs: {
        sizes: async (keys) => new Map(keys.filter((key) => stored.has(key)).map((key) => [key, 10])),
        remove: async (keys) => {
          for (const key of keys) stored.delete(key)
          removed()
        },
      },
    })
  const own = freeing()
  const searched = (): Promise<never> => Promise.reject(new Error('jobs of visitors search for nothing'))
  const parts: JobParts = {
    clock,
    projects: searched,
    issues: { records: searched, shortIds: searched },
    replays: { list: searched, namesOf: searched },
    stars: { of: searched },
    viewers: { members: searched, seenSince: searched },
    jobs,
    logger: silentLogger,
    ending: new AbortController().signal,
    visitors: {
      some: async ({ projectId }) => ((left[projectId] ?? 0) > 0 ? ['f'.repeat(32)] : []),
    },
    deleting: {
      delete: async ({ projectId }, job) => {
        if (fails(projectId)) throw new Error('the engine does not answer')
        left[projectId] = (left[projectId] ?? 0) - 1
        order.push(projectId)
        const key = `1/${projectId}/${order.length}`
        stored.add(key)
        return own.after(() => releaseBlobs(opened.ledger.db, [key]), job && freedForJob(job.id))
      },
    },
  }
  const add = async (projectId: number): Promise<number> => {
    const visitor = { by: 'user', ids: ['u'], emails: [], name: '' } as const
    const wanted = { from: null, to: null, environments: [], query: '', visitor, names: null }
    return (await jobs.add(projectId, 1, wanted))?.id ?? 0
  }
  return { add, freeing, jobs, order, runner: createJobRunner(parts) }
}

it('R102 R104 the deletion of one organisation does not wait for all that another one deletes', async () => {
  const { add, jobs, order, runner } = running({ 1: 4, 2: 2, [SITE]: 2 })
  const ids = [await add(1), await add(2), await add(SITE)]
  await runner.run()
  // Within an organisation it is one job after the other.
  expect(order).toEqual([1, SITE, 1, SITE, 1, 1, 2, 2])
  const [first, second, third] = ids
  expect(await jobs.find(1, first ?? 0)).toMatchObject({ status: 'completed', freedBytes: 40 })
  expect(await jobs.find(2, second ?? 0)).toMatchObject({ status: 'completed', freedBytes: 20 })
  expect(await jobs.find(SITE, third ?? 0)).toMatchObject({ status: 'completed', freedBytes: 20 })
})

it('R104 a job that always fails ends as failed, and the others complete', async () => {
  const { add, jobs, order, runner } = running({ 1: 1, [SITE]: 3 }, (projectId) => projectId === 1)
  const [failing, going] = [await add(1), await add(SITE)]
  let runs = 0
  for (let failed = true; failed && runs < 20; runs += 1) {
    failed = await runner.run().then(
      () => false,
      () => true,
    )
  }
  expect(runs).toBe(LIMITS.REPLAY_DELETION_ATTEMPTS)
  expect(order).toEqual([SITE, SITE, SITE])
  expect(await jobs.find(1, failing)).toMatchObject({ status: 'failed', error: 'the engine does not answer' })
  expect(await jobs.find(SITE, going)).toMatchObject({ status: 'completed' })
})

it('R104 a job that fails keeps those of other organisations waiting for nothing: they are over in the same run', async () => {
  const { add, jobs, order, runner } = running({ 1: 1, [SITE]: 3 }, (projectId) => projectId === 1)
  const [failing, going] = [await add(1), await add(SITE)]
  await expect(runner.run()).rejects.toThrow('the engine does not answer')
  expect(order).toEqual([SITE, SITE, SITE])
  expect(await jobs.find(SITE, going)).toMatchObject({ status: 'completed' })
  expect(await jobs.find(1, failing)).toMatchObject({ status: 'pending' })
})

it('R104 what a job freed is told also when the server was killed before it was counted', async () => {
  const killed = [true]
  const { add, freeing, jobs, runner } = running(
    { 2: 2 },
    () => false,
    () => {
      if (killed.pop() === true) throw new Error('the server was killed')
    },
  )
  const id = await add(2)
  await expect(runner.run()).rejects.toThrow('the server was killed')
  expect(await jobs.find(2, id)).toMatchObject({ freedBytes: 0 })
  await freeing().after(async () => undefined)
  expect(await jobs.find(2, id)).toMatchObject({ freedBytes: 10 })
  await runner.run()
  expect(await jobs.find(2, id)).toMatchObject({ status: 'completed', freedBytes: 20 })
})
