import { Worker } from 'node:worker_threads'
import { errorOf } from '../../lib/error-text.ts'
import { LIMITS } from '../limits.ts'
import type { Unpacked, UnpackedFile } from './unpacked.ts'

/** The bundle is at fault. The message is for whoever uploaded it. */
export class BundleFault extends Error {
  override readonly name = 'BundleFault'
}

/**
 * Files of an uploaded bundle, some at a time, unpacked by a thread that ends with it: an archive made to take long, or
 * much memory, takes no more than the thread has.
 *
 * @param folder where large files are put; they are gone, or not needed, when the next ones are asked for
 * @throws BundleFault
 */
export const unpackBundle = async function* (path: string, folder: string): AsyncGenerator<readonly UnpackedFile[]> {
  const thread = new Worker(new URL('./unpack-thread.ts', import.meta.url), {
    name: 'artifacts',
    workerData: { path, folder },
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.UNPACK_HEAP_MIB },
  })
  thread.unref()
  try {
    for (;;) {
      const answer = await ask(thread)
      if (answer.kind === 'refused') throw new BundleFault(answer.sentence)
      yield answer.files
      if (!answer.hasMore) return
    }
  } finally {
    await thread.terminate()
  }
}

const ask = async (thread: Worker): Promise<Unpacked> => {
  const { promise, resolve, reject } = Promise.withResolvers<Unpacked>()
  const timer = setTimeout(
    () =>
      reject(
        new BundleFault(
          `Unpacking the bundle took longer than ${LIMITS.UNPACK_ANSWER_MS / 1000} seconds, so it was given up. Upload it in parts.`,
        ),
      ),
    LIMITS.UNPACK_ANSWER_MS,
  )
  const failed = (thrown: unknown): void => {
    const error = errorOf(thrown) as NodeJS.ErrnoException
    const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    reject(isTooLarge ? new BundleFault('Unpacking the bundle takes too much memory. Upload it in parts.') : error)
  }
  const ended = (code: number): void => reject(new Error(`The thread that unpacks bundles ended with code ${code}`))
  thread.once('message', resolve).once('error', failed).once('exit', ended)
  thread.postMessage(null, [])
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    thread.off('message', resolve).off('error', failed).off('exit', ended)
  }
}
