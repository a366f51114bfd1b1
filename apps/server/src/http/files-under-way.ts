import { LIMITS } from './limits.ts'
import { HttpError } from './errors.ts'

/** A file, or what reads it piece by piece: such a one need not be held. */
export type FileContent = Uint8Array | FilePieces

export interface FilePieces {
  /** Null for one that is made while it is sent: its reader learns where it ends by its end. */
  readonly byteLength: number | null
  /** What is held at most while it is made, where that is known to be more than a file takes that is read piece by piece. */
  readonly heldBytes?: number
  /** What it throws ends the answer before its length: its reader knows that it is not whole. */
  readonly pieces: AsyncIterable<Uint8Array>
}

/** Of a file of so many bytes, how many are held while it is sent: when not all, it is to be read piece by piece. */
export const heldBytes = (bytes: number): number => Math.min(bytes, LIMITS.FILE_STREAMED_BYTES)

/** Room that a file takes. */
export const roomFor = (content: FileContent): number =>
  content instanceof Uint8Array
    ? content.byteLength
    : Math.max(heldBytes(content.byteLength ?? Infinity), content.heldBytes ?? 0)

/**
 * Files that are being sent. Each is held in memory until its reader has taken all of it, and a reader may be slow on
 * purpose: so there is room for a certain number of bytes, of which nobody has more than a share, and who stops reading
 * is cut off.
 */
export interface FilesUnderWay {
  /**
   * Room for a file: to be asked for before it is read where its size is known by then, and before it is sent where a
   * route has read it.
   *
   * @param owner whose share it is
   * @throws HttpError 503 when there is none
   */
  take(owner: string, bytes: number): FilePlace
}

export interface FilePlace {
  /** Sends the file; its room is given back when it was taken, or nobody takes it any more. */
  send(content: FileContent, headers: Readonly<Record<string, string>>, failed?: (error: unknown) => void): Response
  /** For a file that is not sent after all. */
  release(): void
}

const noRoom = (): HttpError =>
  new HttpError(503, 'Too many files are being sent at this moment. Try again in a few seconds.', {
    headers: { 'retry-after': String(LIMITS.READ_RETRY_SECONDS) },
  })

export const createFilesUnderWay = (): FilesUnderWay => {
  const heldBy = new Map<string, number>()
  let held = 0

  return {
    take(owner, bytes) {
      const own = heldBy.get(owner) ?? 0
      const share = LIMITS.FILES_UNDER_WAY_BYTES / LIMITS.FILES_OWNER_PARTS
      // One file alone may be larger than a share.
      if (held + bytes > LIMITS.FILES_UNDER_WAY_BYTES || (own > 0 && own + bytes > share)) throw noRoom()
      held += bytes
      heldBy.set(owner, own + bytes)
      let isHeld = true
      const release = (): void => {
        if (!isHeld) return
        isHeld = false
        held -= bytes
        const left = (heldBy.get(owner) ?? 0) - bytes
        if (left > 0) heldBy.set(owner, left)
        else heldBy.delete(owner)
      }
      return {
        release,
        send: (content, headers, failed = () => undefined) =>
          new Response(inPieces(content, release, failed), {
            headers: {
              ...headers,
              ...(content.byteLength === null ? {} : { 'content-length': String(content.byteLength) }),
            },
          }),
      }
    },
  }
}

const cut = function* (content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += LIMITS.FILE_PIECE_BYTES) {
    yield content.subarray(at, at + LIMITS.FILE_PIECE_BYTES)
  }
}

/** The next piece is given when the one before it was taken. @param ended called once, however it ends */
const inPieces = (
  content: FileContent,
  ended: () => void,
  failed: (error: unknown) => void,
): ReadableStream<Uint8Array> => {
  const pieces = content instanceof Uint8Array ? cut(content) : content.pieces[Symbol.asyncIterator]()
  let idle: NodeJS.Timeout | undefined
  let isOver = false
  const end = (): void => {
    isOver = true
    clearTimeout(idle)
    ended()
  }
  /** Whatever the file is read from is closed. */
  const stop = async (): Promise<void> => {
    end()
    await pieces.return?.(undefined)
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        idle = setTimeout(() => {
          void stop()
          controller.error(new Error('The reader of a file stopped reading it'))
        }, LIMITS.FILE_IDLE_MS).unref()
      },
      async pull(controller) {
        try {
          const next = await pieces.next()
          // Its reader left, or was cut off, while this piece was read: a stream that is over takes no more.
          if (isOver) return
          // Whoever asks for more has taken the last piece; until then it holds the whole file.
          if (next.done === true) {
            end()
            controller.close()
            return
          }
          idle?.refresh()
          controller.enqueue(next.value)
        } catch (error) {
          end()
          failed(error)
          controller.error(error)
        }
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  )
}
