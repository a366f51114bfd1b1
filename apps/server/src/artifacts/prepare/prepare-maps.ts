import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../lib/clock.ts'
import { errorOf, stackOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { noteBlobsUntil } from '../../storage/ledger/note-blobs.ts'
import { HELD_SOON_MS } from '../ledger/keeping.ts'
import type { MapToPrepare, Prepared, Preparing } from '../ledger/preparing.ts'
import { LIMITS } from '../limits.ts'
import type { PrepareAnswer, PrepareRequest } from './messages.ts'

interface PrepareParts {
  readonly preparing: Preparing
  readonly blobs: Pick<BlobStore, 'get' | 'put'>
  readonly ledger: Ledger
  readonly clock: Clock
  readonly logger: Logger
}

const TOO_LONG = `Reading this source map takes longer than ${LIMITS.PREPARE_MAP_MS / 1000} seconds or more memory than it may, so it is not used. Split the build into several files.`
const FAILED = 'Reading this source map failed; the log of the server says why. It is not used.'
const GONE = 'This source map is not in the store any more. Upload it again.'
const TOO_LARGE = `This source map is larger than ${LIMITS.PREPARED_MAP_BYTES} bytes when it is read, so it is not used. Split the build into several files.`

/**
 * Makes source maps into what frames are looked up in, one after the other, on a thread that ends when none waits. Asked
 * again while it works, it does those that came meanwhile.
 */
export const createMapPreparation = (parts: PrepareParts): (() => Promise<void>) => {
  let running: Promise<void> | null = null
  let isAskedAgain = false

  const work = async (): Promise<void> => {
    const thread = createThread(parts.logger)
    try {
      for (let maps = await parts.preparing.waiting(); maps.length > 0; maps = await parts.preparing.waiting()) {
        for (const map of maps) await parts.preparing.note(map, await prepareOne(parts, thread, map))
      }
    } catch (error) {
      parts.logger.warn('artifacts: source maps could not be prepared; they are tried again', { error: stackOf(error) })
    } finally {
      await thread.end()
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
  { blobs, clock, ledger }: PrepareParts,
  thread: PrepareThread,
  { organizationId, blobKey, code }: MapToPrepare,
): Promise<Prepared> => {
  // One that was damaged keeps none from those behind it.
  const read = async (key: string): Promise<Uint8Array | null> => {
    try {
      return await blobs.get(key)
    } catch (error) {
      if (error instanceof DamagedBlob) return null
      throw error
    }
  }
  const map = await read(blobKey)
  if (map === null) return { error: GONE }
  // What is larger is not looked into for names, so that it need not be read.
  const isRead = code !== null && code.bytes <= LIMITS.SCOPED_CODE_CHARACTERS * 4
  const answer = await thread.ask({ map, code: isRead ? await read(code.blobKey) : null })
  if (answer.kind === 'refused') return { error: answer.sentence }
  const bytes = answer.prepared
  if (bytes.byteLength > LIMITS.PREPARED_MAP_BYTES) return { error: TOO_LARGE }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const blob = { key: `${organizationId}/${sha256}`, organizationId, bytes: bytes.byteLength }
  await noteBlobsUntil(ledger.db, [blob], clock.now() + HELD_SOON_MS)
  await blobs.put([{ organizationId, bytes, sha256 }])
  return { key: blob.key, bytes: blob.bytes }
}

interface PrepareThread {
  readonly ask: (request: PrepareRequest) => Promise<PrepareAnswer>
  readonly end: () => Promise<void>
}

/** Started when it is needed; a map that is too much for it ends it, and the next one has a new thread. */
const createThread = (logger: Logger): PrepareThread => {
  let thread: Worker | null = null
  const start = (): Worker => {
    const started = new Worker(new URL('./prepare-thread.ts', import.meta.url), {
      name: 'source maps',
      resourceLimits: { maxOldGenerationSizeMb: LIMITS.PREPARE_HEAP_MIB },
    })
    started.unref()
    return started
  }
  const end = async (): Promise<void> => {
    const ended = thread
    thread = null
    await ended?.terminate()
  }
  return {
    end,
    ask: async (request) => {
      thread ??= start()
      const asked = thread
      const { promise, resolve } = Promise.withResolvers<PrepareAnswer>()
      const beyond = (): void => {
        void end()
        resolve({ kind: 'refused', sentence: TOO_LONG })
      }
      const timer = setTimeout(beyond, LIMITS.PREPARE_MAP_MS)
      const failed = (thrown: unknown): void => {
        const error = errorOf(thrown) as NodeJS.ErrnoException
        thread = null
        const isBeyond = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        if (!isBeyond) logger.warn('artifacts: reading a source map failed', { error: stackOf(error) })
        resolve({ kind: 'refused', sentence: isBeyond ? TOO_LONG : FAILED })
      }
      const ended = (code: number): void => failed(new Error(`The thread that prepares source maps ended with ${code}`))
      asked.once('message', resolve).once('error', failed).once('exit', ended)
      const moved = [request.map, ...(request.code === null ? [] : [request.code])]
      const owned = moved.filter((bytes) => bytes.byteLength === bytes.buffer.byteLength)
      asked.postMessage(request, [...new Set(owned.map((bytes) => bytes.buffer as ArrayBuffer))])
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        asked.off('message', resolve).off('error', failed).off('exit', ended)
      }
    },
  }
}
