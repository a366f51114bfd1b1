import { useEffect, useRef } from 'react'

/** An answer that takes longer is none. */
export const PATIENCE_MS = 3000
const ASK_EVERY_MS = 2000

/** The code of a page cannot be fetched because nobody answers at all. */
export class ServerUnreachableError extends Error {
  override readonly name = 'ServerUnreachableError'
}

/** Whether anything answers at the server's address, whatever it says. */
export async function isServerReachable(): Promise<boolean> {
  try {
    await fetch('/_health/', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
    return true
  } catch {
    // No answer, or none in time, is what was asked about.
    return false
  }
}

/**
 * Asks again and again while the component is mounted, and calls back once the server answers.
 *
 * @param isAnswering what is asked; whether anything answers at all when not given. Must not throw
 */
export function useWhenReachable(onAnswer: () => void, isAnswering = isServerReachable): void {
  const latest = useRef({ onAnswer, isAnswering })
  useEffect(() => {
    latest.current = { onAnswer, isAnswering }
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const ask = async (): Promise<void> => {
      const answers = await latest.current.isAnswering()
      if (isGone) return
      if (answers) latest.current.onAnswer()
      else timer = setTimeout(() => void ask(), ASK_EVERY_MS)
    }
    timer = setTimeout(() => void ask(), ASK_EVERY_MS)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [])
}
