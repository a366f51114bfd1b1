import { cp, mkdir, mkdtemp, open, readFile, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import type { AcceptedEnvelope, SpoolPosition, SpoolRecord } from '../road.ts'
import { nodeDisk } from './disk.ts'
import type { SpoolDisk } from './disk.ts'
import { SpoolInUseError, SpoolLockError } from './lock.ts'
import { SPOOL_START } from './position.ts'
import { RECORD_HEADER_BYTES, encodeRecord, recordSeed } from './record-format.ts'
import { createSpoolReader } from './spool-reader.ts'
import type { SpooledRecord } from './spool-reader.ts'
import { openSpool } from './spool.ts'
import type { Spool, SpoolLimits } from './spool.ts'
import { SpoolUnavailableError } from './unavailable.ts'

let directory: string
let lines: string[]
const logger = createLogger(
  'debug',
  (line) => lines.push(line),
  () => 0,
)

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'firsthand-spool-'))
  lines = []
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const envelope = (text: string | Uint8Array, projectId = 7): AcceptedEnvelope => ({
  kind: 'envelope',
  receivedAt: 1_795_000_000_000,
  sender: {
    organizationId: 1,
    projectId,
    keyId: 3,
    clientAddress: '::1',
    userAgent: 'agent "ü"',
    origin: null,
    sdk: 'sentry.javascript.node/11.12.0',
  },
  body: typeof text === 'string' ? Buffer.from(text) : text,
})

const openTest = (limits: Partial<SpoolLimits> = {}, disk: SpoolDisk = nodeDisk): Promise<Spool> =>
  openSpool({ directory, logger, disk, limits: { reserveBytes: 0, checkMs: 5, ...limits } })

const readAll = async (spool: Spool, from: SpoolPosition = SPOOL_START, records = 3): Promise<SpooledRecord[]> => {
  const reader = createSpoolReader({ spool: spool.handle, logger })
  const all: SpooledRecord[] = []
  for (let at = from; ;) {
    const read = await reader.read(at, { bytes: 4096, records })
    all.push(...read.records)
    if (read.records.length === 0) break
    at = read.end
  }
  await reader.close()
  return all
}

const bodyOf = (record: SpoolRecord): string => (record.kind === 'envelope' ? Buffer.from(record.body).toString() : '')
const bodies = (records: readonly SpooledRecord[]): string[] => records.map((entry) => bodyOf(entry.record))
const lastSegment = async (): Promise<string> =>
  join(
    directory,
    (await readdir(directory))
      .filter((name) => name.endsWith('.spool'))
      .sort()
      .at(-1) ?? '',
  )

const flip = async (path: string, offset: number): Promise<void> => {
  const file = await open(path, 'r+')
  const byte = Buffer.alloc(1)
  await file.read(byte, 0, 1, offset)
  byte[0] = (byte[0] ?? 0) ^ 0xff
  await file.write(byte, 0, 1, offset)
  await file.close()
}

/** Bounded wait for something that another turn of the event loop does. */
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('waited too long')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('spool', () => {
  it('gives back what was appended, in order, with sender and bytes unchanged', async () => {
    const spool = await openTest()
    const binary = Uint8Array.from({ length: 256 }, (_, index) => index)
    const outcomes: SpoolRecord = {
      kind: 'outcomes',
      receivedAt: 5,
      outcomes: [
        {
          organizationId: 1,
          projectId: 2,
          keyId: 3,
          timestamp: 4,
          outcome: 'rate_limited',
          reason: 'key_quota',
          itemType: 'event',
          category: 'error',
          sdk: 'a/1',
          quantity: 6,
          bytes: 7,
        },
      ],
    }
    const records: SpoolRecord[] = [envelope('one'), envelope(binary), outcomes, envelope('')]
    await Promise.all(records.map((record) => spool.append(record)))
    const read = (await readAll(spool)).map((entry) => entry.record)
    expect(read.map((record) => (record.kind === 'envelope' ? { ...record, body: [...record.body] } : record))).toEqual(
      records.map((record) => (record.kind === 'envelope' ? { ...record, body: [...record.body] } : record)),
    )
    await spool.close()
  })

  it('reads a record that is longer than the limit, alone', async () => {
    const spool = await openTest()
    const long = 'x'.repeat(100_000)
    await Promise.all([spool.append(envelope('a')), spool.append(envelope(long)), spool.append(envelope('b'))])
    expect(bodies(await readAll(spool))).toEqual(['a', long, 'b'])
    await spool.close()
  })

  it('reads what is more than the limit in equal parts', async () => {
    const spool = await openTest()
    const texts = Array.from({ length: 40 }, (_, index) => String(index).padStart(100, '0'))
    await Promise.all(texts.map((text) => spool.append(envelope(text))))
    const reader = createSpoolReader({ spool: spool.handle, logger })
    const whole = await reader.read(SPOOL_START, { bytes: 1e6, records: 1000 })
    const begin = whole.records[0]?.position.offset ?? 0
    const most = Math.ceil((whole.end.offset - begin) * 0.7)
    const first = await reader.read(SPOOL_START, { bytes: most, records: 1000 })
    const second = await reader.read(first.end, { bytes: most, records: 1000 })
    expect([first.records.length, second.records.length]).toEqual([20, 20])
    expect(bodies([...first.records, ...second.records])).toEqual(texts)
    await reader.close()
    await spool.close()
  })

  it('shares one sync among the appends that arrive together', async () => {
    let syncs = 0
    const spool = await openTest(
      {},
      {
        ...nodeDisk,
        sync: async (fd) => {
          syncs += 1
          await nodeDisk.sync(fd)
        },
      },
    )
    const before = syncs
    await Promise.all(Array.from({ length: 100 }, (_, index) => spool.append(envelope(String(index)))))
    expect(syncs - before).toBe(1)
    await spool.close()
  })

  it('resolves an append only after the sync', async () => {
    let release = (): void => undefined
    let hold = false
    const spool = await openTest(
      {},
      {
        ...nodeDisk,
        sync: async (fd) => {
          if (hold) await new Promise<void>((resolve) => (release = resolve))
          await nodeDisk.sync(fd)
        },
      },
    )
    hold = true
    let acknowledged = false
    const append = spool.append(envelope('a')).then(() => (acknowledged = true))
    await until(async () => (await stat(await lastSegment())).size > 60)
    expect(acknowledged).toBe(false)
    expect(await readAll(spool)).toEqual([])
    release()
    await append
    expect(bodies(await readAll(spool))).toEqual(['a'])
    hold = false
    await spool.close()
  })

  it('goes on in new segments, and removes those that are settled', async () => {
    const spool = await openTest({ segmentBytes: 1000 })
    const sent = Array.from({ length: 50 }, (_, index) => `${index}`.padStart(100, '.'))
    for (const text of sent) await spool.append(envelope(text))
    const records = await readAll(spool)
    expect(bodies(records)).toEqual(sent)
    const middle = records[25]
    if (middle === undefined) throw new Error('expected a record')
    const before = spool.backlogBytes()
    spool.settled(middle.end)
    expect(spool.backlogBytes()).toBeLessThan(before)
    await until(async () => !(await readdir(directory)).includes('0000000000.spool'))
    expect(bodies(await readAll(spool, middle.end))).toEqual(sent.slice(26))
    spool.settled(spool.end())
    expect(spool.backlogBytes()).toBe(0)
    await spool.close()
  })

  it('leaves a segment behind that is not full, and removes it when it is settled', async () => {
    const spool = await openTest()
    await spool.leaveSegment()
    expect(spool.end().segment).toBe(0)
    const appended = spool.append(envelope('a'))
    await spool.leaveSegment()
    await appended
    await Promise.all([spool.leaveSegment(), spool.append(envelope('b')), spool.append(envelope('c'))])
    expect(bodies(await readAll(spool))).toEqual(['a', 'b', 'c'])
    await spool.leaveSegment()
    const reader = createSpoolReader({ spool: spool.handle, logger })
    const [last] = (await readAll(spool)).slice(-1)
    // Whoever digests passes into the new one, though nothing is in it.
    const { end } = await reader.read(last?.end ?? SPOOL_START, { bytes: 4096, records: 1 })
    await reader.close()
    expect(end).toEqual(spool.end())
    spool.settled(end)
    await until(async () => (await readdir(directory)).filter((name) => name.endsWith('.spool')).length === 1)
    await spool.append(envelope('d'))
    expect(bodies(await readAll(spool, end))).toEqual(['d'])
    await spool.close()
    await expect(spool.leaveSegment()).rejects.toThrow(SpoolUnavailableError)
  })

  it('keeps its identity and its records over a restart, and never uses a segment number twice', async () => {
    const first = await openTest()
    await first.append(envelope('a'))
    await first.close()
    const second = await openTest()
    expect(second.id).toBe(first.id)
    await second.append(envelope('b'))
    expect(bodies(await readAll(second))).toEqual(['a', 'b'])
    expect(second.end().segment).toBe(1)
    await second.close()
    const third = await openTest()
    const fourth = await third.close().then(() => openTest())
    expect(fourth.end().segment).toBe(2)
    await rm(join(directory, 'identity'))
    await fourth.close()
    const fifth = await openTest()
    expect(fifth.id).toBe(first.id)
    await fifth.close()
  })

  it('cuts a torn last record off, wherever it was torn', async () => {
    const first = await openTest()
    await first.append(envelope('whole'))
    const end = first.end().offset
    await first.append(envelope('torn'))
    const full = first.end().offset
    await first.close()
    const path = await lastSegment()
    const bytes = await readFile(path)
    for (let length = full - 1; length > end; length -= 1) {
      await rm(directory, { recursive: true })
      await nodeDisk.makeDirectory(directory)
      await writeFile(path, bytes.subarray(0, length))
      await writeFile(join(directory, 'identity'), `${first.id}\n`)
      const spool = await openTest()
      expect(bodies(await readAll(spool))).toEqual(['whole'])
      await spool.append(envelope('next'))
      expect(bodies(await readAll(spool))).toEqual(['whole', 'next'])
      await spool.close()
      expect((await stat(path)).size).toBe(end)
    }
    expect(lines.filter((line) => line.includes('torn')).length).toBe(full - 1 - end)
  })

  it('says whose a torn last record was only when its bytes prove it', async () => {
    const first = await openTest()
    for (const text of ['a', 'b'.repeat(500)]) await first.append(envelope(text, 42))
    const [, last] = await readAll(first)
    if (last === undefined) throw new Error('expected a record')
    await first.close()
    const path = await lastSegment()
    const whole = await readFile(path)
    // In the body, in what is said of the sender, in the header, and cut short.
    const damages: readonly [offset: number, length: number, project: string][] = [
      [last.end.offset - 1, whole.length, 'project=42'],
      [last.position.offset + RECORD_HEADER_BYTES, whole.length, 'project=null'],
      [last.position.offset + 8, whole.length, 'project=null'],
      [last.end.offset - 1, whole.length - 1, 'project=null'],
    ]
    for (const [offset, length, project] of damages) {
      await rm(directory, { recursive: true })
      await mkdir(directory)
      await writeFile(path, whole)
      await writeFile(join(directory, 'identity'), `${first.id}\n`)
      await flip(path, offset)
      await truncate(path, length)
      lines.length = 0
      await (await openTest()).close()
      const told = lines.find((line) => line.includes('torn'))
      expect(told).toContain(project)
      expect(told).toContain('something that was may be lost')
    }
  })

  it('cuts garbage after the last record off', async () => {
    const first = await openTest()
    await first.append(envelope('a'))
    await first.close()
    const path = await lastSegment()
    await writeFile(path, Buffer.concat([await readFile(path), Buffer.alloc(5000, 0x46)]))
    const spool = await openTest()
    expect(bodies(await readAll(spool))).toEqual(['a'])
    await spool.close()
  })

  it('removes a segment whose creation was torn', async () => {
    const first = await openTest()
    await first.append(envelope('a'))
    await first.close()
    await writeFile(join(directory, '0000000001.spool'), 'FHSP')
    const spool = await openTest()
    await spool.append(envelope('b'))
    expect(bodies(await readAll(spool))).toEqual(['a', 'b'])
    await spool.close()
  })

  it('passes over a record whose body is damaged, and counts it for its project', async () => {
    const spool = await openTest()
    for (const text of ['a', 'b'.repeat(500), 'c']) await spool.append(envelope(text, 42))
    const [, second] = await readAll(spool)
    if (second === undefined) throw new Error('expected a record')
    await flip(await lastSegment(), second.end.offset - 1)
    const read = await readAll(spool)
    expect(bodies(read)).toEqual(['a', '', 'c'])
    expect(read[1]?.record).toMatchObject({
      kind: 'outcomes',
      outcomes: [{ projectId: 42, outcome: 'invalid', reason: 'damaged_on_disk', quantity: 1, bytes: 500 }],
    })
    expect(lines.some((line) => line.includes(' error ') && line.includes(`offset=${second.position.offset}`))).toBe(
      true,
    )
    await spool.close()
  })

  it('finds the next whole record behind a damaged header, wherever the damage is', async () => {
    const spool = await openTest()
    for (const text of ['a', 'b'.repeat(300), 'c']) await spool.append(envelope(text))
    const [, second] = await readAll(spool)
    if (second === undefined) throw new Error('expected a record')
    const path = await lastSegment()
    for (let offset = second.position.offset; offset < second.position.offset + 30; offset += 1) {
      lines = []
      await flip(path, offset)
      expect(bodies(await readAll(spool))).toEqual(['a', 'c'])
      expect(lines.join('')).toContain(`bytes=${second.end.offset - second.position.offset}`)
      await flip(path, offset)
    }
    await spool.close()
  })

  it('does not take bytes inside a body for a record', async () => {
    const spool = await openTest()
    const forged = encodeRecord(envelope('forged', 666), recordSeed('00'.repeat(16)))
    await spool.append(envelope('a'))
    await spool.append(envelope(Buffer.concat([...forged.parts])))
    await spool.append(envelope('c'))
    const [, second] = await readAll(spool)
    await flip(await lastSegment(), second?.position.offset ?? 0)
    expect(bodies(await readAll(spool))).toEqual(['a', 'c'])
    await spool.close()
  })

  it('reads exactly the same records again up to a given end', async () => {
    const spool = await openTest({ segmentBytes: 500 })
    const sent = Array.from({ length: 20 }, (_, index) => `record ${index}`)
    for (const text of sent) await spool.append(envelope(text))
    const records = await readAll(spool)
    const reader = createSpoolReader({ spool: spool.handle, logger })
    const from = records[3]?.end ?? SPOOL_START
    const read = await reader.readUntil(from, records[11]?.end ?? SPOOL_START)
    expect(bodies(read.records)).toEqual(sent.slice(4, 12))
    expect(read.end).toEqual(records[11]?.end)
    await reader.close()
    await spool.close()
  })

  it('accepts nothing on a full disk, loses nothing acknowledged, and recovers by itself', async () => {
    let room = Number.MAX_SAFE_INTEGER
    const spool = await openTest(
      {},
      {
        ...nodeDisk,
        write: async (fd, buffers, position) => {
          const wanted = buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0)
          if (room === 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
          const part = Math.min(room, wanted)
          room -= part
          return nodeDisk.write(fd, [Buffer.concat(buffers).subarray(0, part)], position)
        },
        truncate: async (fd, length) => {
          if (room === 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
          await nodeDisk.truncate(fd, length)
        },
      },
    )
    await spool.append(envelope('kept'))
    room = 20
    const results = await Promise.allSettled([spool.append(envelope('x')), spool.append(envelope('y'))])
    for (const result of results) {
      expect(result.status === 'rejected' && result.reason).toBeInstanceOf(SpoolUnavailableError)
    }
    expect(spool.pressure()).toBe('full')
    await expect(spool.append(envelope('z'))).rejects.toBeInstanceOf(SpoolUnavailableError)
    expect(bodies(await readAll(spool))).toEqual(['kept'])
    room = Number.MAX_SAFE_INTEGER
    await until(() => spool.pressure() === 'ok')
    await spool.append(envelope('after'))
    expect(bodies(await readAll(spool))).toEqual(['kept', 'after'])
    expect(lines.filter((line) => line.includes(' error ')).length).toBe(1)
    expect(lines.filter((line) => line.includes('accepting again')).length).toBe(1)
    await spool.close()
    const again = await openTest()
    expect(bodies(await readAll(again))).toEqual(['kept', 'after'])
    await again.close()
  })

  it('leaves a segment behind whose sync failed', async () => {
    let failing = false
    const spool = await openTest(
      {},
      {
        ...nodeDisk,
        sync: async (fd) => {
          if (failing) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })
          await nodeDisk.sync(fd)
        },
      },
    )
    await spool.append(envelope('a'))
    failing = true
    await expect(spool.append(envelope('b'))).rejects.toBeInstanceOf(SpoolUnavailableError)
    failing = false
    await until(() => spool.pressure() === 'ok')
    await spool.append(envelope('c'))
    expect(spool.end().segment).toBe(1)
    expect(bodies(await readAll(spool))).toEqual(['a', 'c'])
    await spool.close()
  })

  it('says full below the reserve and behind above the backlog, and takes it back', async () => {
    let free = 1000
    const spool = await openTest(
      { reserveBytes: 500, backlogBytes: 300 },
      { ...nodeDisk, freeBytes: () => Promise.resolve(free) },
    )
    expect(spool.pressure()).toBe('ok')
    free = 499
    await until(() => spool.pressure() === 'full')
    free = 500
    await until(() => spool.pressure() === 'ok')
    await spool.append(envelope('x'.repeat(400)))
    expect(spool.pressure()).toBe('behind')
    spool.settled(spool.end())
    expect(spool.pressure()).toBe('ok')
    await spool.close()
  })

  it('acknowledges nothing into a folder that was moved away, and goes on when it is back', async () => {
    const away = `${directory}-away`
    const spool = await openTest()
    await spool.append(envelope('a'))
    await rename(directory, away)
    // At once, whoever looks first: the group itself, or the look at the disk.
    await expect(spool.append(envelope('b'))).rejects.toBeInstanceOf(SpoolUnavailableError)
    expect(spool.pressure()).toBe('gone')
    await rename(away, directory)
    await until(() => spool.pressure() === 'ok')
    await spool.append(envelope('c'))
    expect(bodies(await readAll(spool))).toEqual(['a', 'c'])
    expect(lines.filter((line) => line.includes('because the data folder was removed or replaced'))).toHaveLength(1)
    await spool.close()
  })

  it('acknowledges nothing when the folder goes while the group is written', async () => {
    let leaves = false
    const spool = await openTest(
      { checkMs: 3_600_000 },
      {
        ...nodeDisk,
        sync: async (fd) => {
          await nodeDisk.sync(fd)
          if (leaves) await rm(directory, { recursive: true })
        },
      },
    )
    await spool.append(envelope('a'))
    leaves = true
    const results = await Promise.allSettled([spool.append(envelope('b')), spool.append(envelope('c'))])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(spool.pressure()).toBe('gone')
    await spool.close()
  })

  it('notices it while nothing is sent, and takes no other folder for its own', async () => {
    const spool = await openTest()
    await spool.append(envelope('a'))
    const copy = `${directory}-copy`
    await cp(directory, copy, { recursive: true })
    await rm(directory, { recursive: true })
    await until(() => spool.pressure() === 'gone')
    await rename(copy, directory)
    await expect(spool.append(envelope('b'))).rejects.toBeInstanceOf(SpoolUnavailableError)
    expect(spool.pressure()).toBe('gone')
    await spool.close()
    const again = await openTest()
    expect(bodies(await readAll(again))).toEqual(['a'])
    await again.close()
  })

  it('goes on behind the progress of the ledger when the folder is an older copy', async () => {
    const spool = await openTest()
    const progress = { segment: 8, offset: 12_345 }
    await spool.startAfter(progress)
    await spool.append(envelope('new'))
    expect(bodies(await readAll(spool, progress))).toEqual(['new'])
    await spool.close()
  })

  it('wakes a reader when something was appended', async () => {
    const spool = await openTest()
    const reader = createSpoolReader({ spool: spool.handle, logger })
    const woken = reader.changed(reader.end(), 10_000)
    await spool.append(envelope('a'))
    await woken
    expect((await reader.read(SPOOL_START, { bytes: 1000, records: 10 })).records.length).toBe(1)
    await reader.close()
    await spool.close()
  })

  it('lets only one process in', async () => {
    const spool = await openTest()
    await expect(openTest()).rejects.toBeInstanceOf(SpoolInUseError)
    await spool.append(envelope('a'))
    await spool.close()
    const again = await openTest()
    expect(bodies(await readAll(again))).toEqual(['a'])
    await again.close()
  })

  it('says of a lock that cannot be used what is wrong with it, and blames no other process', async () => {
    await writeFile(join(directory, 'lock'), 'no database'.repeat(1000))
    await expect(openTest()).rejects.toThrow(SpoolLockError)
    await expect(openTest()).rejects.toThrow(/lock.*cannot be used: file is not a database/)
    await rm(join(directory, 'lock'))
    await mkdir(join(directory, 'lock'))
    await expect(openTest()).rejects.toThrow(/cannot be used: unable to open database file/)
    await rm(join(directory, 'lock'), { recursive: true })
    await (await openTest()).close()
  })

  it('writes what is waiting when it closes, and refuses what comes later', async () => {
    const spool = await openTest()
    const append = spool.append(envelope('a'))
    await spool.close()
    await append
    await expect(spool.append(envelope('b'))).rejects.toBeInstanceOf(SpoolUnavailableError)
    await truncate(join(directory, 'identity'), 0)
    const again = await openTest()
    expect(bodies(await readAll(again))).toEqual(['a'])
    await again.close()
  })
})
