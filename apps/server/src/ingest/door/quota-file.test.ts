import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import { createByteQuotas } from './byte-quotas.ts'
import { quotaWriter, readQuotas, writeQuotas } from './quota-file.ts'
import { createSpikeProtection } from './spike-protection.ts'
import { keyContext } from './test-door.ts'

let folder = ''
const lines: string[] = []
const logger = createLogger(
  'warn',
  (line) => lines.push(line),
  () => 0,
)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'firsthand-quotas-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('gives back what was written; without a file nothing was counted', async () => {
  const path = join(folder, 'quotas.json')
  expect(await readQuotas(path, logger)).toEqual({ bytes: {}, hours: {} })
  const saved = {
    bytes: { 'key:7': { day: 1, dayBytes: 2, hour: 3, hourBytes: 4 } },
    hours: { '42': { first: 5, hours: [[6, 7]] as const } },
  }
  await writeQuotas(path, saved)
  expect(await readQuotas(path, logger)).toEqual(saved)
  expect(lines).toEqual([])
})

it('a damaged file stops no start', async () => {
  const path = join(folder, 'damaged.json')
  await writeFile(
    path,
    '{"bytes":{"key:7":{"day":"x"},"key:8":{"day":1,"dayBytes":2,"hour":3,"hourBytes":4}},"hours":[]}',
  )
  expect(Object.keys((await readQuotas(path, logger)).bytes)).toEqual(['key:8'])
  await writeFile(path, '{"bytes":')
  expect(await readQuotas(path, logger)).toEqual({ bytes: {}, hours: {} })
  expect(lines.length).toBe(1)
})

it('is written only when something was counted since', async () => {
  const path = join(folder, 'quiet.json')
  const bytes = createByteQuotas({ keyBytesPerDay: 4000, organizationBytesPerDay: 8000 })
  const spikes = createSpikeProtection()
  const write = quotaWriter(path, bytes, spikes)
  const isWritten = async (): Promise<boolean> => {
    await rm(path, { force: true })
    await write()
    return rm(path).then(
      () => true,
      () => false,
    )
  }
  expect(await isWritten()).toBe(false)
  bytes.take(keyContext(), 1, false, 1_795_000_000_000)
  expect(await isWritten()).toBe(true)
  expect(await isWritten()).toBe(false)
  spikes.take(keyContext(), 1_795_000_000_000)
  expect(await isWritten()).toBe(true)
})
