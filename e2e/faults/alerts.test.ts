import { afterEach, beforeEach, expect, it } from 'vitest'
import { randomFrom } from '../../bench/events.ts'
import { seedOf } from '../security/lib/random.ts'
import { alertEnvironment, alertRounds } from './lib/alert-rounds.ts'
import { undoRounds } from './lib/undo-rounds.ts'
import { freshFolder, removeFolder, setUp, startFirsthand, type Firsthand } from './lib/firsthand.ts'

const ROUNDS = 8
const UNDO_ROUNDS = 4

let running: { server: Firsthand } | null = null
let dataDir = ''
beforeEach(() => {
  dataDir = freshFolder()
})
afterEach(async () => {
  await running?.server.killAll()
  removeFolder(dataDir)
})

it(`A26: kill -9 while rules fire, ${ROUNDS} times: each is evaluated once, and told once under one id`, async () => {
  const seed = seedOf()
  process.stdout.write(`Seed ${seed} (FIRSTHAND_SEED repeats it)\n`)
  running = { server: await startFirsthand({ dataDir, environment: alertEnvironment }) }
  const account = await setUp(dataDir, running.server.port)
  const { causes, wrong } = await alertRounds({
    running,
    account,
    rounds: ROUNDS,
    errorsARound: 4,
    killWithinMs: 900,
    random: randomFrom(seed),
  })
  expect(causes).toBe(ROUNDS * 4)
  expect(wrong).toEqual([])
}, 400_000)

it(`A18, A26: kill -9 while issues are resolved and that is undone, ${UNDO_ROUNDS} times: each end and each undoing of it is told once, in order`, async () => {
  const seed = seedOf()
  process.stdout.write(`Seed ${seed} (FIRSTHAND_SEED repeats it)\n`)
  running = { server: await startFirsthand({ dataDir, environment: alertEnvironment }) }
  const account = await setUp(dataDir, running.server.port)
  const { ends, wrong } = await undoRounds({
    running,
    account,
    rounds: UNDO_ROUNDS,
    issues: 6,
    random: randomFrom(seed),
  })
  expect(ends).toBeGreaterThan(0)
  expect(wrong).toEqual([])
}, 400_000)
