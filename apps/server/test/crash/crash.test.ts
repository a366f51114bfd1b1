import { spawn } from 'node:child_process'
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../src/lib/logger.ts'
import { readProductStores } from './product-stores.ts'
import type { Holdings } from './product-stores.ts'
import { openTestStores } from './test-stores.ts'

/** `CRASH_ROUNDS=100` for the long run. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 5)
const LONG = process.env['CRASH_ROUNDS'] !== undefined
const FAULTS = ['apply:before', 'apply:after', 'write:before', 'write:after', 'settle:before', 'settle:after']
const CHILD = new URL('./child.ts', import.meta.url).pathname

const logger = createLogger(
  'error',
  (line) => process.stderr.write(line),
  () => Date.now(),
)

/** What Node has compiled of the program: half of what a short-lived child does would be compiling it again. */
let compiled: string
beforeAll(async () => {
  compiled = await mkdtemp(join(tmpdir(), 'firsthand-compiled-'))
})
afterAll(() => rm(compiled, { recursive: true, force: true }))

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'firsthand-crash-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

interface Outcome {
  readonly acknowledged: string[]
  readonly signal: NodeJS.Signals | null
  readonly code: number | null
  readonly log: string
}

/** Stores that the child works with, and how to look into them afterwards. */
interface Setting {
  readonly name: string
  readonly rounds: number
  readonly faults: readonly string[]
  read(): Promise<Holdings>
}

/** @param killAfter kill -9 as soon as so many appends are acknowledged; null leaves the child to itself */
const runChild = (setting: Setting, mode: 'load' | 'finish', killAfter: number | null, fault = ''): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, dataDir, mode], {
      env: { ...process.env, CRASH_AT: fault, CRASH_STORES: setting.name, NODE_COMPILE_CACHE: compiled },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const deadline = setTimeout(() => child.kill('SIGKILL'), 120_000)
    const acknowledged: string[] = []
    let log = ''
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      // The last line can be torn by the kill.
      if (/^[0-9a-f]{32}$/.test(line)) acknowledged.push(line)
      if (killAfter !== null && acknowledged.length >= killAfter) child.kill('SIGKILL')
    })
    child.stderr.on('data', (data: Buffer) => (log += data.toString()))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(deadline)
      resolve({ acknowledged, code, signal, log })
    })
  })

const readTestStores = (): Holdings => {
  const stores = openTestStores(`${dataDir}/stores`)
  try {
    const counted = stores.countedEvents()
    return {
      storedIds: stores.storedEventIds(),
      timesSeen: counted.reduce((sum, row) => sum + row.times, 0),
      indexed: counted.length,
      keptIds: stores.keptItems().map((item) => item.eventId ?? ''),
      outcomes: Object.fromEntries(stores.outcomes().map((row) => [`${row.itemType} ${row.outcome}`, row.quantity])),
    }
  } finally {
    stores.close()
  }
}

const TEST_STORES: Setting = { name: 'test', rounds: ROUNDS, faults: FAULTS, read: async () => readTestStores() }
const SETTINGS: readonly Setting[] = [
  TEST_STORES,
  {
    name: 'product',
    rounds: ROUNDS,
    faults: LONG ? FAULTS : ['apply:after', 'write:after'],
    read: () => readProductStores(dataDir, logger),
  },
]

/** Everything acknowledged is there once, in each store, and nothing at all is there twice. */
const review = async (
  setting: Setting,
  acknowledged: readonly string[],
): Promise<{ found: object; exactlyOnce: object }> => {
  const { storedIds, timesSeen, indexed, keptIds, outcomes } = await setting.read()
  const unique = new Set(storedIds)
  const count = unique.size
  const found = {
    lost: acknowledged.filter((id) => !unique.has(id)),
    stored: storedIds.length,
    timesSeen,
    indexed,
    kept: keptIds.length,
    keptOnce: new Set(keptIds).size,
    outcomes,
  }
  const exactlyOnce = {
    lost: [],
    stored: count,
    timesSeen: count,
    indexed: count,
    kept: count,
    keptOnce: count,
    outcomes: { 'event accepted': count, 'form_data accepted': count },
  }
  return { found, exactlyOnce }
}

const expectKilled = ({ signal, log }: Outcome): void => {
  if (signal !== 'SIGKILL') throw new Error(`The child was not killed, but ended by itself:\n${log}`)
}

const expectFinished = ({ code, signal, log }: Outcome): void => {
  if (code !== 0) throw new Error(`The child ended with ${signal ?? code}:\n${log}`)
}

const finish = async (setting: Setting): Promise<void> => {
  expectFinished(await runChild(setting, 'finish', null))
}

describe.each(SETTINGS)('after kill -9, with the $name stores', (setting) => {
  it('every acknowledged record is there exactly once, whenever the process was killed', async () => {
    const acknowledged: string[] = []
    for (let round = 0; round < setting.rounds; round += 1) {
      const killAfter = 1 + Math.floor(Math.random() * 1500)
      const child = await runChild(setting, 'load', killAfter)
      expectKilled(child)
      acknowledged.push(...child.acknowledged)
    }
    await finish(setting)
    const { found, exactlyOnce } = await review(setting, acknowledged)
    expect(found).toEqual(exactlyOnce)
    // What is digested is not kept: only segments that may still be needed are there.
    expect((await readdir(join(dataDir, 'spool'))).filter((name) => name.endsWith('.spool')).length).toBeLessThan(4)
  }, 1_200_000)

  it.each(setting.faults)(
    'the batch is stored once when the process dies at %s',
    async (fault) => {
      const acknowledged: string[] = []
      for (const call of [1, 3]) {
        const child = await runChild(setting, 'load', null, `${fault}:${call}`)
        expectKilled(child)
        acknowledged.push(...child.acknowledged)
      }
      // It also dies while it repeats the batch.
      expectKilled(await runChild(setting, 'finish', null, `${fault}:1`))
      await finish(setting)
      const { found, exactlyOnce } = await review(setting, acknowledged)
      expect(found).toEqual(exactlyOnce)
    },
    240_000,
  )
})

describe('a damaged spool', () => {
  it('a torn tail is cut off and a damaged record is passed over, and all others are stored', async () => {
    const child = await runChild(TEST_STORES, 'load', 300, 'apply:before:1')
    expectKilled(child)
    const spool = join(dataDir, 'spool')
    const names = (await readdir(spool)).filter((name) => name.endsWith('.spool')).sort()
    const last = join(spool, names.at(-1) ?? '')
    const file = await open(last, 'r+')
    await file.write(Buffer.from('garbage of a torn write'), 0, 23, (await stat(last)).size)
    await file.close()
    const first = await open(join(spool, names[0] ?? ''), 'r+')
    // Inside the first record, behind the segment's header of 32 bytes.
    await first.write(Buffer.alloc(8, 0xff), 0, 8, 200)
    await first.close()

    const end = await runChild(TEST_STORES, 'finish', null)
    expectFinished(end)
    const stores = openTestStores(`${dataDir}/stores`)
    const stored = new Set(stores.storedEventIds())
    expect(child.acknowledged.filter((id) => !stored.has(id)).length).toBeLessThanOrEqual(1)
    expect(stores.outcomes().find((row) => row.reason === 'damaged_on_disk')?.quantity).toBe(1)
    stores.close()
    expect(end.log).toContain('torn')
    expect(end.log).toMatch(/damaged.*segment=0 offset=32/)
  }, 60_000)
})
