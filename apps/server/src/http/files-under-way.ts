import { LIMITS } from './limits.ts'
import { HttpError } from './errors.ts'

/**
 * Files that are being sent. Each is held in memory until its reader has taken all of it, and a reader may be slow on
 * purpose: so there is room for a certain number of bytes, of which nobody has more than a share, and who stops reading
 * is cut off.
 */
export interface FilesUnderWay {
  /**
   * Room for a file, to be asked for before it is read.
   *
   * @param owner whose share it is
   * @throws HttpError 503 when there is none
   */
  take(owner: string, bytes: number): FilePlace
}

export interface FilePlace {
  /** Sends the file; its room is given back when it was taken, or nobody takes it any more. */
  send(bytes: Uint8Array, headers: Readonly<Record<string, string>>): Response
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
        send: (content, headers) =>
          new Response(inPieces(content, release), {
            headers: { ...headers, 'content-length': String(content.byteLength) },
          }),
      }
    },
  }
}

/** The next piece is given when the one before it was taken. @param ended called once, however it ends */
const inPieces = (content: Uint8Array, ended: () => void): ReadableStream<Uint8Array> => {
  let at = 0
  let idle: NodeJS.Timeout | undefined
  const end = (): void => {
    clearTimeout(idle)
    ended()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        idle = setTimeout(() => {
          end()
          controller.error(new Error('The reader of a file stopped reading it'))
        }, LIMITS.FILE_IDLE_MS).unref()
      },
      pull(controller) {
        // Whoever asks for more has taken the last piece; until then it holds the whole file.
        if (at >= content.byteLength) {
          end()
          controller.close()
          return
        }
        idle?.refresh()
        const piece = content.subarray(at, at + LIMITS.FILE_PIECE_BYTES)
        at += piece.byteLength
        controller.enqueue(piece)
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
