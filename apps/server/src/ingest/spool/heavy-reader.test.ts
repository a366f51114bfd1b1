import { existsSync } from 'node:fs'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import type { AcceptedEnvelope, SpoolPosition } from '../road.ts'
import { nodeDisk } from './disk.ts'
import type { SpoolDisk } from './disk.ts'
import { openHeavyReader } from './heavy-reader.ts'
import type { HeavyReader } from './heavy-reader.ts'
import { SPOOL_START } from './position.ts'
import { createSpoolReader } from './spool-reader.ts'
import type { SpooledRecord } from './spool-reader.ts'
import { openSpool } from './spool.ts'
import type { Spool } from './spool.ts'

let directory: string
let lines: string[]
let spool: Spool
const logger = createLogger(
  'warn',
  (line) => lines.push(line),
  () => 0,
)

const open = (segmentBytes = 1024 * 1024): Promise<Spool> =>
  openSpool({ directory, logger, limits: { reserveBytes: 0, segmentBytes } })

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'firsthand-heavy-'))
  lines = []
  spool = await open()
})
afterEach(async () => {
  await spool.close()
  await rm(directory, { recursive: true, force: true })
})

const envelope = (text: string, projectId: number, isHeavy: boolean): AcceptedEnvelope => ({
  kind: 'envelope',
  receivedAt: 1_795_000_000_000,
  sender: { organizationId: 1, projectId, keyId: 3, clientAddress: null, userAgent: null, origin: null, sdk: '' },
  body: Buffer.from(text),
  ...(isHeavy && { isHeavy }),
})

const light = (text: string): Promise<void> => spool.append(envelope(text, 1, false))
const heavy = (text: string, projectId: number): Promise<void> => spool.append(envelope(text, projectId, true))
const openReader = (): Promise<HeavyReader> =>
  openHeavyReader({ spool: spool.handle, logger, onPassed: () => undefined })

const texts = (records: readonly SpooledRecord[]): string[] =>
  records.map(({ record }) => (record.kind === 'envelope' ? Buffer.from(record.body).toString() : 'lost'))

const ALL = { bytes: 1e6, records: 1000 }
const few = (records: number) => ({ bytes: 1e6, records })

describe('heavy records', () => {
  it('are left out where the rest is read, and the rest where they are', async () => {
    await light('a')
    await heavy('b', 7)
    await light('c')
    await heavy('d', 7)
    const rest = createSpoolReader({ spool: spool.handle, logger })
    const read = await rest.read(SPOOL_START, ALL)
    expect(texts(read.records)).toEqual(['a', 'c'])
    expect(read.end).toEqual(spool.end())
    const reader = await openReader()
    expect(texts((await reader.read(SPOOL_START, ALL)).records)).toEqual(['b', 'd'])
    await Promise.all([rest.close(), reader.close()])
  })

  it('of one project that sent many, the first have their turn, and then those of the others', async () => {
    for (let index = 0; index < 20; index += 1) await heavy(`flood ${index}`, 7)
    const reader = await openReader()
    reader.settled(SPOOL_START)
    const first = await reader.read(SPOOL_START, ALL)
    expect(first.records).toHaveLength(20)
    // The batch ended with its second record, because it took so long.
    for (const { position } of first.records.slice(0, 2)) reader.spent(position, 5000)
    const until = first.records[1]?.end ?? SPOOL_START
    await reader.giveBack(until)
    await heavy('other 0', 8)
    await heavy('other 1', 8)
    const next = await reader.read(until, few(4))
    expect(texts(next.records)).toEqual(['other 0', 'other 1', 'flood 2', 'flood 3'])
    await reader.close()
  })

  it('of which a project has too many waiting are told, until they are taken', async () => {
    const told: (readonly number[])[] = []
    const reader = await openHeavyReader({
      spool: spool.handle,
      logger,
      onPassed: () => undefined,
      onCrowded: (projects) => told.push(projects),
    })
    reader.settled(SPOOL_START)
    await heavy('first', 7)
    await heavy('second', 7)
    const first = await reader.read(SPOOL_START, few(1))
    for (const { position } of first.records) reader.spent(position, LIMITS.HEAVY_BACKLOG_MS)
    reader.settled(first.end)
    for (let index = 0; index < 8; index += 1) await heavy(`of 7, ${index}`, 7)
    await heavy('of another', 8)
    await reader.changed(reader.end(), 0)
    expect(told).toEqual([[], [7]])
    const rest = await reader.read(first.end, ALL)
    expect(rest.records).toHaveLength(10)
    reader.settled(rest.end)
    expect(told).toEqual([[], [7], []])
    await reader.close()
  })

  it('that are taken keep their segment while their order goes to disk, whatever is stored meanwhile', async () => {
    let held: Promise<void> | undefined
    const disk: SpoolDisk = { ...nodeDisk, sync: async (fd) => (await held, nodeDisk.sync(fd)) }
    await heavy('first', 7)
    const start = spool.end()
    await heavy('second', 7)
    const reader = await openHeavyReader({ spool: spool.handle, logger, disk, onPassed: () => undefined })
    const first = await reader.read(SPOOL_START, few(1))
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    const second = reader.read(first.end, few(1))
    // The rest of what it does before it waits for the disk.
    await new Promise((go) => {
      setImmediate(go)
    })
    reader.settled(first.end)
    expect(reader.passed()).toEqual(start)
    resolve()
    expect(texts((await second).records)).toEqual(['second'])
    expect(reader.passed()).toEqual(start)
    reader.settled((await second).end)
    expect(reader.passed()).toEqual(spool.end())
    await reader.close()
  })

  it('are in the same order again after a crash, and none is there twice', async () => {
    for (let index = 0; index < 6; index += 1) await heavy(`${index}`, 7 + (index % 2))
    const reader = await openReader()
    const first = await reader.read(SPOOL_START, few(2))
    const second = await reader.read(first.end, few(3))
    await reader.close()
    await heavy('later', 9)

    const again = await openReader()
    // The first batch was stored, and the second was under way.
    again.settled(first.end)
    expect(texts((await again.readUntil(first.end, second.end)).records)).toEqual(texts(second.records))
    again.settled(second.end)
    const rest = await again.read(second.end, ALL)
    expect([...texts(first.records), ...texts(second.records), ...texts(rest.records)].toSorted()).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      'later',
    ])
    await again.close()
  })

  it('keep their segment until they are stored, and no longer', async () => {
    await spool.close()
    spool = await open(1)
    await heavy('first', 7)
    await light('second')
    await heavy('third', 8)
    await light('last')
    const reader = await openReader()
    const read = await reader.read(SPOOL_START, ALL)
    const passed: SpoolPosition[] = [reader.passed()]
    reader.settled(read.records[0]?.end ?? SPOOL_START)
    passed.push(reader.passed())
    reader.settled(read.end)
    passed.push(reader.passed())
    expect(passed.map(({ segment }) => segment)).toEqual([1, 3, spool.end().segment])
    await reader.close()
  })

  it('whose order is torn or lost are ordered anew', async () => {
    await heavy('a', 7)
    await heavy('b', 7)
    const reader = await openReader()
    const { end } = await reader.read(SPOOL_START, few(1))
    await reader.read(end, few(1))
    await reader.close()
    await truncate(join(directory, 'heavy-order'), 30)
    const again = await openReader()
    again.settled(SPOOL_START)
    const read = await again.read(SPOOL_START, few(1))
    expect(texts(read.records)).toEqual(['a'])
    expect(texts((await again.read(read.end, ALL)).records)).toEqual(['b'])
    expect(lines).toEqual([])
    await again.close()
  })

  it('are known of before the first is on disk', async () => {
    let begun = 0
    spool.whenHeavy(() => {
      begun += 1
    })
    await light('a')
    expect([begun, existsSync(join(directory, 'heavy-order'))]).toEqual([0, false])
    await Promise.all([heavy('b', 7), heavy('c', 7)])
    expect([begun, existsSync(join(directory, 'heavy-order'))]).toEqual([1, true])
  })
})
