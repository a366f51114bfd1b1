import { afterEach, expect, it } from 'vitest'
import { randomFrom } from '../../bench/events.ts'
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

it(`kill -9 of server and engine under load, ${ROUNDS} times: what was acknowledged is there once, and everything adds up`, async () => {
  const seed = seedOf()
  process.stdout.write(`Seed ${seed} (FIRSTHAND_SEED repeats it)\n`)
  running = { server: await startFirsthand({ dataDir }) }
  const account = await setUp(dataDir, running.server.port)
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
  expect(judge(sent, await readStored(running.server))).toEqual({ lost: [], doubled: [], wrong: [] })
}, 400_000)
