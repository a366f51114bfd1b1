import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import type { SpoolPosition } from '../road.ts'
import { openUnderWayFile, UnderWay } from './under-way.ts'

const SPOOL = 'ab'.repeat(16)
const at = (offset: number): SpoolPosition => ({ segment: 0, offset })

let directory: string
let lines: string[]
const logger = createLogger(
  'debug',
  (line) => lines.push(line),
  () => 0,
)

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'firsthand-under-way-'))
  lines = []
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

const path = (): string => join(directory, 'under-way.json')

/** A new process, or a new thread: nothing but the file is left. */
const next = (): UnderWay => new UnderWay({ file: openUnderWayFile(path(), logger), spool: SPOOL, logger })

/** Records that are 10 bytes long: reads from `from` what it may, and dies over it, or stores it. */
const read = (watch: UnderWay, from: number, end: number): number => {
  const records = Math.min((end - from) / 10, watch.limitAt(at(from)))
  watch.note(at(from), at(from + records * 10), records)
  return from + records * 10
}

/** Digests 0 to `end`, dying over the records that start at `deadly`. @returns those that were set aside, and the deaths */
const digest = (end: number, deadly: readonly number[], isThread = true) => {
  const aside: number[] = []
  let position = 0
  let deaths = 0
  while (position < end && deaths < 200) {
    const watch = next()
    const refused = watch.begin(at(position), isThread)?.offset
    if (refused !== undefined) aside.push(refused)
    for (let isAlive = true; isAlive && position < end;) {
      const until = read(watch, position, end)
      isAlive = !deadly.some((one) => one >= position && one < until && one !== refused)
      if (isAlive) watch.stored()
      if (isAlive) position = until
      else deaths += 1
    }
  }
  return { aside, deaths, position }
}

describe('what a digest has under way', () => {
  it('leads to the records over which its thread dies, and to no other', () => {
    expect(digest(20_000, [])).toMatchObject({ aside: [], deaths: 0 })
    expect(digest(20_000, [12_340])).toMatchObject({ aside: [12_340], position: 20_000 })
    expect(digest(20_000, [0, 10, 19_990]).aside).toEqual([0, 10, 19_990])
    expect(digest(10, [0])).toEqual({ aside: [0], deaths: LIMITS.DIGEST_DEATHS, position: 10 })
  })

  it('takes few deaths to find a record', () => {
    expect(digest(20_000, [12_340]).deaths).toBeLessThanOrEqual(10)
  })

  it('does not set aside one record after the other when it dies over all of them', () => {
    const every = Array.from({ length: 100 }, (_, index) => index * 10)
    expect(digest(1000, every).aside.length).toBe(LIMITS.DIGEST_ASIDE_IN_A_ROW)
  })

  it('blames no record for a process that ends while a batch waits for the stores', () => {
    for (let starts = 0; starts < 50; starts += 1) {
      const watch = next()
      expect(watch.begin(at(0), false)).toBeNull()
      expect(watch.limitAt(at(0))).toBe(Infinity)
      read(watch, 0, 10)
      watch.prepared()
    }
  })

  it('blames no record for an end in order, however often', () => {
    for (let starts = 0; starts < 50; starts += 1) {
      const watch = next()
      expect(watch.begin(at(0), false)).toBeNull()
      read(watch, 0, 10)
      watch.end()
    }
  })

  it('digests once more what a process left that died once, alone', () => {
    read(next(), 0, 200)
    const watch = next()
    expect(watch.begin(at(0), false)).toBeNull()
    expect([watch.isSuspect(at(0)), watch.isSuspect(at(190)), watch.isSuspect(at(200))]).toEqual([true, true, false])
    expect(watch.limitAt(at(0))).toBe(Infinity)
  })

  it.each(['', '{', '[]', '{"a":1}', `{"${SPOOL}":{"from":1}}`, `{"${SPOOL}":null}`])(
    'begins anew with a file that holds %s',
    (text) => {
      writeFileSync(path(), text)
      expect(next().begin(at(0), true)).toBeNull()
    },
  )

  it('goes on without a file that can be written, and says so once', () => {
    const watch = new UnderWay({
      file: openUnderWayFile(join(directory, 'missing', 'under-way.json'), logger),
      spool: SPOOL,
      logger,
    })
    watch.begin(at(0), false)
    read(watch, 0, 10)
    read(watch, 10, 20)
    expect(lines.filter((line) => line.includes('cannot be noted'))).toHaveLength(1)
  })
})
