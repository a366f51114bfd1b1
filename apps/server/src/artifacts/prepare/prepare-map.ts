import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { noteBlobsUntil } from '../../storage/ledger/note-blobs.ts'
import { HELD_SOON_MS } from '../ledger/keeping.ts'
import type { MapToPrepare, Prepared } from '../ledger/preparing.ts'
import { LIMITS } from '../limits.ts'
import type { createBundleSources } from './bundle-sources.ts'
import type { MapProcess, Reading } from './map-process.ts'
import type { PrepareMapRequest } from './messages.ts'

export interface PrepareParts {
  readonly blobs: Pick<BlobStore, 'open' | 'putFile'>
  readonly ledger: Ledger
  readonly clock: Clock
  readonly logger: Logger
  /** For the map that is read, and what is made of it. */
  readonly folder: string
}

/** It may end otherwise another time. */
export interface Postponed {
  /** What is wrong with it if it never does, for people. */
  readonly later: string
}

const TOO_LONG = `Reading this source map took longer than ${LIMITS.PREPARE_MAP_MS / 1000} seconds, ${LIMITS.PREPARE_ATTEMPTS} times, so it is not used. Split the build into several files.`
const ENDED = `The process that reads this source map was ended by the system, ${LIMITS.PREPARE_ATTEMPTS} times, so it is not used. The server may have too little memory for it; split the build into several files.`
const TOO_MUCH = `Reading this source map takes more memory than ${LIMITS.PREPARE_HEAP_MIB} MiB, so it is not used. Split the build into several files.`
const FAILED = 'Reading this source map failed; the log of the server says why. It is not used.'
const GONE = 'This source map is not in the store any more. Upload it again.'

/** What a run of preparing has beside the map. */
export interface Readers {
  readonly reader: MapProcess
  readonly sourcesOf: ReturnType<typeof createBundleSources>
}

/** @throws when the machine has a fault that says nothing about the map, e.g. a full disk */
export const prepareOne = async (
  { blobs, clock, folder, ledger, logger }: PrepareParts,
  { reader, sourcesOf }: Readers,
  asked: MapToPrepare,
): Promise<Prepared | Postponed> => {
  const { organizationId, blobKey, bytes: mapBytes, code, url } = asked
  const paths = { map: join(folder, 'map'), code: join(folder, 'code'), out: join(folder, 'prepared') }
  if (!(await writeBlob(blobs, blobKey, paths.map))) return { error: GONE }
  // What is larger is not looked into for names, so that only its beginning is read.
  const isParsed = code !== null && code.bytes <= LIMITS.SCOPED_CODE_CHARACTERS * 4
  const most = isParsed ? Infinity : LIMITS.CODE_HEAD_BYTES
  const hasCode = code !== null && (await writeBlob(blobs, code.blobKey, paths.code, most))
  const answer = await readMap(
    reader,
    {
      kind: 'map',
      ...paths,
      code: hasCode ? { path: paths.code, isParsed } : null,
      url,
      sources: await sourcesOf(asked),
    },
    triesOf(mapBytes, hasCode && isParsed ? code.bytes : null),
  )
  if (answer.kind !== 'prepared') return withoutUse(answer, logger)
  const { bytes, sha256 } = answer
  const key = `${organizationId}/${sha256}`
  await noteBlobsUntil(ledger.db, [{ key, organizationId, bytes }], clock.now() + HELD_SOON_MS)
  const stored = await blobs.putFile({ organizationId, path: paths.out, bytes, sha256 })
  if (stored === null) throw new Error('what was made of a source map is not what was written')
  return { key, bytes }
}

const withoutUse = (answer: Exclude<Reading, { kind: 'prepared' }>, logger: Logger): Prepared | Postponed => {
  switch (answer.kind) {
    case 'refused':
      return { error: answer.sentence }
    case 'beyond':
      return { error: TOO_MUCH }
    case 'late':
      return { later: TOO_LONG }
    case 'ended':
      return { later: ENDED }
    case 'failed':
      logger.warn('artifacts: reading a source map failed', { error: answer.error })
      return { error: FAILED }
    case 'away':
      throw new Error(answer.error)
  }
}

const beginningOf = async function* (pieces: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const piece of pieces) {
    yield piece.subarray(0, left)
    left -= piece.byteLength
    if (left <= 0) return
  }
}

/**
 * Writes so many bytes of it at most.
 *
 * @returns false when it is gone or damaged: one that is keeps none from those behind it
 */
const writeBlob = async (
  blobs: Pick<BlobStore, 'open'>,
  key: string,
  path: string,
  most = Infinity,
): Promise<boolean> => {
  try {
    const pieces = await blobs.open(key)
    if (pieces === null) return false
    await writeFile(path, beginningOf(pieces, most))
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

/** All tries share one time. When it is over, more memory does not help, but leaving the code out may. */
const readMap = async (
  reader: MapProcess,
  { code, ...asked }: PrepareMapRequest,
  tries: readonly Try[],
): Promise<Reading> => {
  const end = performance.now() + LIMITS.PREPARE_MAP_MS
  let answer: Reading = { kind: 'late' }
  let isLate = false
  for (const { heapMib, withCode } of tries) {
    const leftMs = Math.floor(end - performance.now())
    if (leftMs <= 0 || (isLate && withCode)) continue
    const withinMs = withCode ? Math.ceil((leftMs * 2) / 3) : leftMs
    answer = await reader.ask(
      { ...asked, code: code === null ? null : { ...code, isParsed: withCode } },
      { heapMib, withinMs },
    )
    if (answer.kind !== 'beyond' && answer.kind !== 'late') break
    isLate = answer.kind === 'late'
  }
  return answer
}
