import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import type { PayloadFile } from '../payload-file.ts'
import type { AcceptedEnvelope } from '../road.ts'
import { nodeDisk } from './disk.ts'
import { SPOOL_START } from './position.ts'
import { createSpoolReader } from './spool-reader.ts'
import { openSpool } from './spool.ts'
import type { Spool, SpoolLimits } from './spool.ts'
import { SpoolUnavailableError } from './unavailable.ts'

const logger = createLogger('debug', () => undefined, Date.now)
let directory: string
let spool: Spool
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'firsthand-staging-'))
  spool = await open()
})
afterEach(async () => {
  await spool.close()
  rmSync(directory, { recursive: true, force: true })
})

const open = (limits: Partial<SpoolLimits> = {}, disk = nodeDisk): Promise<Spool> =>
  openSpool({ directory, logger, disk, limits: { reserveBytes: 0, ...limits } })
const staged = (): string[] => readdirSync(join(directory, 'staged'))

const stage = async (bytes: Uint8Array): Promise<PayloadFile> => {
  const file = await spool.stage()
  for (let at = 0; at < bytes.byteLength; at += 1000) await file.write(bytes.subarray(at, at + 1000))
  return file.finish()
}
const record = (files: readonly PayloadFile[], text = '{}\n'): AcceptedEnvelope => ({
  kind: 'envelope',
  receivedAt: 1_795_000_000_000,
  sender: {
    organizationId: 1,
    projectId: 7,
    keyId: 3,
    clientAddress: null,
    userAgent: null,
    origin: null,
    sdk: '',
  },
  body: Buffer.from(text),
  files: files.map((file, index) => ({ ...file, item: 2 * index })),
})
const readAll = async () => {
  const reader = createSpoolReader({ spool: spool.handle, logger })
  const read = await reader.read(SPOOL_START, { bytes: 1_000_000, records: 100 })
  await reader.close()
  return read.records
}

describe('files of records', () => {
  it('are whole, known to whoever reads the record, and go when it is digested', async () => {
    const content = randomBytes(2500)
    const file = await stage(content)
    expect(file).toMatchObject({ bytes: 2500, sha256: createHash('sha256').update(content).digest('hex') })
    expect(readFileSync(file.path).equals(content)).toBe(true)
    const other = await stage(Buffer.alloc(0))
    await spool.append(record([file, other]))
    await spool.append(record([]))
    const [first, second] = await readAll()
    expect(first?.record).toMatchObject({
      files: [
        { item: 0, ...file },
        { item: 2, ...other },
      ],
    })
    expect(second?.record).not.toHaveProperty('files')
    expect(staged()).toHaveLength(2)
    if (second === undefined) throw new Error('A record is missing.')
    spool.settled(second.end)
    await expect.poll(staged).toEqual([])
  })

  it('stay when they are discarded after their record is on disk, and go before', async () => {
    const kept = await spool.stage()
    await kept.write(Buffer.from('kept'))
    await spool.append(record([await kept.finish()]))
    const refused = await spool.stage()
    await refused.write(Buffer.from('refused'))
    await refused.finish()
    const broken = await spool.stage()
    await broken.write(Buffer.from('broken'))
    expect(staged()).toHaveLength(3)
    for (const file of [kept, refused, broken, broken]) await file.discard()
    expect(staged()).toHaveLength(1)
  })

  it('wait like records: they count for the backlog', async () => {
    await spool.close()
    spool = await open({ backlogBytes: 10_000 })
    const file = await spool.stage()
    await file.write(randomBytes(9000))
    expect(spool.pressure()).toBe('ok')
    await file.write(randomBytes(2000))
    expect(spool.pressure()).toBe('behind')
    await file.discard()
    expect(spool.pressure()).toBe('ok')
  })

  it('that no record refers to are gone after a start, the others when they are digested', async () => {
    const lost = await stage(Buffer.from('died before its record'))
    const torn = await spool.stage()
    await torn.write(Buffer.from('died while it was written'))
    const files = [await stage(Buffer.from('first')), await stage(Buffer.from('second'))]
    for (const file of files) await spool.append(record([file]))
    const [first, second] = await readAll()
    if (first === undefined || second === undefined) throw new Error('Records are missing.')
    await spool.close()

    spool = await open()
    expect(staged()).toHaveLength(3)
    spool.settled(first.end)
    // The one that has no record cannot be told from the others yet.
    expect(staged()).toHaveLength(3)
    const late = await stage(Buffer.from('of this process'))
    await spool.append(record([late]))
    spool.settled(second.end)
    await expect.poll(staged).toHaveLength(1)
    expect([existsSync(lost.path), existsSync(late.path)]).toEqual([false, true])
    await spool.close()

    spool = await open()
    spool.settled(spool.end())
    await expect.poll(staged).toEqual([])
  })

  it('that are left without any record go at the first start', async () => {
    await spool.close()
    mkdirSync(join(directory, 'staged'), { recursive: true })
    writeFileSync(join(directory, 'staged', 'a'.repeat(32)), 'left')
    spool = await open()
    spool.settled(SPOOL_START)
    await expect.poll(staged).toEqual([])
  })

  it('are refused by a full disk, or one that becomes full, and leave nothing', async () => {
    await spool.close()
    let free = 1_000_000_000
    let fault: Error | null = null
    spool = await open(
      { reserveBytes: 1000, checkMs: 60_000 },
      {
        ...nodeDisk,
        freeBytes: async () => free,
        write: async (fd, buffers, position) => {
          if (fault !== null) throw fault
          return nodeDisk.write(fd, buffers, position)
        },
      },
    )
    const file = await spool.stage()
    await file.write(Buffer.alloc(17 * 1024 * 1024))
    free = 10
    // The disk is looked at before the next piece.
    await expect(file.write(Buffer.from('more'))).rejects.toThrow(SpoolUnavailableError)
    await file.discard()
    await expect(spool.stage()).rejects.toThrow(SpoolUnavailableError)
    expect([spool.pressure(), staged()]).toEqual(['full', []])
  })

  it('whose disk fails are removed', async () => {
    await spool.close()
    const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    spool = await open(
      {},
      {
        ...nodeDisk,
        write: (fd, buffers, at) => (at >= 1000 ? Promise.reject(full) : nodeDisk.write(fd, buffers, at)),
      },
    )
    const file = await spool.stage()
    await file.write(randomBytes(1000))
    await expect(file.write(randomBytes(1000))).rejects.toThrow('ENOSPC')
    await file.discard()
    expect(staged()).toEqual([])
  })
})
