import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import type { Bundles } from '../ledger/bundles.ts'
import type { Chunks } from '../ledger/chunks.ts'
import { LIMITS } from '../limits.ts'
import { keptEnough } from '../room.ts'
import type { AssemblingFiles } from './assembling-files.ts'
import type { DebugFile, DebugFiles } from './ledger/debug-files.ts'

export interface AskedFile {
  /** SHA-1 of the file. */
  readonly checksum: string
  readonly name: string
  /** '' for none. */
  readonly saidId: string
  readonly pieces: readonly string[]
}

interface Place {
  readonly organizationId: number
  readonly projectId: number
}

/** What whoever asks for a file is told. */
export type FileAnswer =
  | { readonly kind: 'missing'; readonly pieces: readonly string[] }
  | { readonly kind: 'fault'; readonly detail: string }
  | { readonly kind: 'there'; readonly file: DebugFile }

/**
 * Answers whoever asks for debug files: what is missing of them, or how far they are. Asked again and again, by whoever
 * likes, it makes each of them once.
 */
export const createAssembleFiles = (parts: {
  readonly files: DebugFiles
  readonly bundles: Pick<Bundles, 'keptBytes'>
  readonly chunks: Pick<Chunks, 'keysOf' | 'touch'>
  readonly assembling: Pick<AssemblingFiles, 'begin'>
  readonly clock: Clock
}) => {
  const { assembling, bundles, chunks, clock, files } = parts

  /** How far they are after a while. */
  const outcomes = async (organizationId: number, ids: readonly number[]): Promise<readonly (DebugFile | null)[]> => {
    const waiting = new AbortController()
    await Promise.race([
      Promise.all(ids.map((id) => assembling.begin({ id, organization_id: organizationId }))),
      delay(LIMITS.ASSEMBLE_WAIT_MS, null, { signal: waiting.signal, ref: false }),
    ])
    waiting.abort()
    const found: (DebugFile | null)[] = []
    for (const id of ids) found.push(await files.byId(id))
    return found
  }

  /** @returns an answer, or the id of a file that is on its way */
  const lookAt = async (
    place: Place,
    asked: AskedFile,
    hasRoom: () => Promise<boolean>,
  ): Promise<FileAnswer | number> => {
    const now = clock.now()
    const key = { ...place, checksum: asked.checksum, saidId: asked.saidId }
    const known = await files.find(key)
    if (known?.state === 'ok') {
      await files.again(known.id, now)
      return { kind: 'there', file: known }
    }
    if (known?.state === 'assembling') return known.id
    const there = await chunks.keysOf(place.organizationId, asked.pieces)
    const missing = asked.pieces.filter((piece) => !there.has(piece))
    if (missing.length > 0) return { kind: 'missing', pieces: [...new Set(missing)] }
    const isFresh = known !== null && now - (known.ended_at ?? 0) < LIMITS.ASSEMBLE_ERROR_KEPT_MS
    if (isFresh) return { kind: 'fault', detail: known.error ?? 'The file cannot be used.' }
    const bytes = asked.pieces.reduce((sum, piece) => sum + (there.get(piece)?.bytes ?? 0), 0)
    if (bytes > LIMITS.UPLOAD_FILE_BYTES) {
      return { kind: 'fault', detail: `The file is ${bytes} bytes; ${LIMITS.UPLOAD_FILE_BYTES} are taken.` }
    }
    if (!(await hasRoom())) return { kind: 'fault', detail: keptEnough() }
    await chunks.touch(place.organizationId, asked.pieces, now)
    return files.begin(key, { name: shortName(asked.name), pieces: asked.pieces, now })
  }

  return async (place: Place, asked: readonly AskedFile[]): Promise<ReadonlyMap<string, FileAnswer>> => {
    const answers = new Map<string, FileAnswer>()
    const begun = new Map<string, number>()
    let room: Promise<boolean> | null = null
    const hasRoom = (): Promise<boolean> => {
      room ??= bundles.keptBytes(place.organizationId).then((bytes) => bytes < LIMITS.ARTIFACTS_KEPT_BYTES)
      return room
    }
    for (const one of asked) {
      const answer = await lookAt(place, one, hasRoom)
      if (typeof answer === 'number') begun.set(one.checksum, answer)
      else answers.set(one.checksum, answer)
    }
    if (begun.size === 0) return answers
    const ended = await outcomes(place.organizationId, [...begun.values()])
    for (const [index, checksum] of [...begun.keys()].entries()) {
      const file = ended[index] ?? null
      answers.set(
        checksum,
        file === null
          ? { kind: 'fault', detail: 'This file was deleted while it was uploaded. Upload it again.' }
          : { kind: 'there', file },
      )
    }
    return answers
  }
}

/** Of a long path the end says what it is. */
export const shortName = (name: string): string => name.slice(-LIMITS.DEBUG_FILE_NAME_CHARACTERS)
