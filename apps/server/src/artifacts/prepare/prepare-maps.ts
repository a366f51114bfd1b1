import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { stackOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { noteBlobsUntil } from '../../storage/ledger/note-blobs.ts'
import { HELD_SOON_MS } from '../ledger/keeping.ts'
import type { MapToPrepare, Prepared, Preparing } from '../ledger/preparing.ts'
import { LIMITS } from '../limits.ts'
import { createMapProcess, type MapProcess, type Reading } from './map-process.ts'

interface PrepareParts {
  readonly preparing: Preparing
  readonly blobs: Pick<BlobStore, 'open' | 'putFile'>
  readonly ledger: Ledger
  readonly clock: Clock
  readonly logger: Logger
  /** For the map that is read, and what is made of it. */
  readonly folder: string
}

const TOO_LONG = `Reading this source map takes longer than ${LIMITS.PREPARE_MAP_MS / 1000} seconds or more memory than it may, so it is not used. Split the build into several files.`
const FAILED = 'Reading this source map failed; the log of the server says why. It is not used.'
const GONE = 'This source map is not in the store any more. Upload it again.'
const TOO_LARGE = `This source map is larger than ${LIMITS.PREPARED_MAP_BYTES} bytes when it is read, so it is not used. Split the build into several files.`

/**
 * Makes source maps into what frames are looked up in, one after the other, in a process that ends when none waits. Asked
 * again while it works, it does those that came meanwhile.
 */
export const createMapPreparation = (parts: PrepareParts): (() => Promise<void>) => {
  let running: Promise<void> | null = null
  let isAskedAgain = false

  const work = async (): Promise<void> => {
    const { folder, logger, preparing } = parts
    const reader = createMapProcess()
    try {
      for (let maps = await preparing.waiting(); maps.length > 0; maps = await preparing.waiting()) {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        for (const map of maps) await preparing.note(map, await prepareOne(parts, reader, map))
      }
    } catch (error) {
      logger.warn('artifacts: source maps could not be prepared; they are tried again', { error: stackOf(error) })
    } finally {
      reader.end()
      await rm(folder, { recursive: true, force: true })
    }
  }

  const workWhileAsked = async (): Promise<void> => {
    try {
      do {
        isAskedAgain = false
        await work()
      } while (isAskedAgain)
    } finally {
      running = null
    }
  }

  return () => {
    if (running === null) running = workWhileAsked()
    else isAskedAgain = true
    return running
  }
}

const prepareOne = async (
  { blobs, clock, folder, ledger, logger }: PrepareParts,
  reader: MapProcess,
  { organizationId, blobKey, bytes: mapBytes, code }: MapToPrepare,
): Promise<Prepared> => {
  const paths = { map: join(folder, 'map'), code: join(folder, 'code'), out: join(folder, 'prepared') }
  if (!(await writeBlob(blobs, blobKey, paths.map))) return { error: GONE }
  // What is larger is not looked into for names, so that it need not be read.
  const isRead = code !== null && code.bytes <= LIMITS.SCOPED_CODE_CHARACTERS * 4
  const hasCode = isRead && (await writeBlob(blobs, code.blobKey, paths.code))
  let answer: Reading = { kind: 'beyond' }
  for (const { heapMib, withCode } of triesOf(mapBytes, hasCode ? code.bytes : null)) {
    answer = await reader.ask({ ...paths, code: withCode ? paths.code : null }, heapMib)
    if (answer.kind !== 'beyond') break
  }
  if (answer.kind === 'beyond') return { error: TOO_LONG }
  if (answer.kind === 'refused') return { error: answer.sentence }
  if (answer.kind === 'failed') {
    logger.warn('artifacts: reading a source map failed', { error: answer.error })
    return { error: FAILED }
  }
  const { bytes, sha256 } = answer
  if (bytes > LIMITS.PREPARED_MAP_BYTES) return { error: TOO_LARGE }
  const key = `${organizationId}/${sha256}`
  await noteBlobsUntil(ledger.db, [{ key, organizationId, bytes }], clock.now() + HELD_SOON_MS)
  const stored = await blobs.putFile({ organizationId, path: paths.out, bytes, sha256 })
  if (stored === null) throw new Error('what was made of a source map is not what was written')
  return { key, bytes }
}

/** @returns false when it is gone or damaged: one that is keeps none from those behind it */
const writeBlob = async (blobs: Pick<BlobStore, 'open'>, key: string, path: string): Promise<boolean> => {
  try {
    const pieces = await blobs.open(key)
    if (pieces === null) return false
    await writeFile(path, pieces)
    return true
  } catch (error) {
    if (error instanceof DamagedBlob) return false
    throw error
  }
}

const MIB = 1024 * 1024

interface Try {
  readonly heapMib: number
  readonly withCode: boolean
}

/** First with the memory that most such maps need, then with all that one may have, then without the names of functions. */
const triesOf = (mapBytes: number, codeBytes: number | null): readonly Try[] => {
  const usual = LIMITS.PREPARE_SMALLEST_HEAP_MIB + Math.ceil((3 * mapBytes + 4 * (codeBytes ?? 0)) / MIB)
  const withCode = codeBytes !== null
  return [
    ...(usual < LIMITS.PREPARE_HEAP_MIB ? [{ heapMib: usual, withCode }] : []),
    { heapMib: LIMITS.PREPARE_HEAP_MIB, withCode },
    ...(withCode ? [{ heapMib: LIMITS.PREPARE_HEAP_MIB, withCode: false }] : []),
  ]
}
