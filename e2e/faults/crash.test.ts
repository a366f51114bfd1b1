import { randomBytes } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { randomFrom } from '../../bench/events.ts'
import { bundleOf, packed, sha1, uploaderOf } from '../lib/uploads.ts'
import { seedOf } from '../security/lib/random.ts'
import { freshFolder, removeFolder, setUp, startFirsthand } from './lib/firsthand.ts'
import type { Firsthand } from './lib/firsthand.ts'
import { createLedger } from './lib/load.ts'
import { crashRounds } from './lib/rounds.ts'
import { readStored } from './lib/stores.ts'
import { judge } from './lib/verdict.ts'

const ROUNDS = 6

let running: { server: Firsthand } | null = null
const dataDir = freshFolder()
afterEach(async () => {
  await running?.server.killAll()
  removeFolder(dataDir)
})

it(`L11: kill -9 of server and engine under load, ${ROUNDS} times: what was acknowledged is there once, everything adds up, and an upload goes on where it was`, async () => {
  const seed = seedOf()
  process.stdout.write(`Seed ${seed} (FIRSTHAND_SEED repeats it)\n`)
  running = { server: await startFirsthand({ dataDir }) }
  const account = await setUp(dataDir, running.server.port)
  const uploader = uploaderOf({ ...account, port: running.server.port })
  const bundle = bundleOf([{ url: '~/app.js', type: 'source', content: randomBytes(3000).toString('hex') }])
  const pieces = Array.from({ length: 4 }, (_, index) => {
    const bytes = Math.ceil(bundle.byteLength / 4)
    return bundle.subarray(index * bytes, (index + 1) * bytes)
  })
  expect((await uploader.send(pieces.slice(0, 2).map(packed))).status).toBe(200)
  const sent = createLedger()
  await crashRounds({
    running,
    account,
    rounds: ROUNDS,
    connections: 8,
    sent,
    random: randomFrom(seed),
    loadMs: [50, 1500],
  })
  expect(sent.acknowledged.size).toBeGreaterThan(ROUNDS * 20)
  expect(sent.refused.size, `refusals: ${JSON.stringify([...sent.refused])}`).toBe(0)
  const assemble = async () =>
    (await uploader.assemble(sha1(bundle), pieces.map(sha1), { projects: [account.project] })).body
  expect(await assemble()).toMatchObject({ state: 'not_found', missingChunks: pieces.slice(2).map(sha1) })
  expect((await uploader.send(pieces.slice(2).map(packed))).status).toBe(200)
  expect(await assemble()).toMatchObject({ state: 'ok', missingChunks: [] })
  expect(judge(sent, await readStored(running.server))).toEqual({ lost: [], doubled: [], wrong: [] })
}, 400_000)
