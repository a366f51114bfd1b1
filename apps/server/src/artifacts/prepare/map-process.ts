import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stackOf } from '../../lib/error-text.ts'
import type { PrepareAnswer, PrepareRequest } from './messages.ts'

const PROCESS_FILE = fileURLToPath(new URL('./prepare-process.ts', import.meta.url))

export type Reading =
  | PrepareAnswer
  /** It took more memory than it may. */
  | { readonly kind: 'beyond' }
  /** It took more time than it may. */
  | { readonly kind: 'late' }
  /** Others ended its process: a system without memory, or whoever stops the server. */
  | { readonly kind: 'ended'; readonly error: string }

export interface ReadingBounds {
  /** What reading may take, beside the bytes of what is made of the map. */
  readonly heapMib: number
  readonly withinMs: number
}

export interface MapProcess {
  readonly ask: (request: PrepareRequest, bounds: ReadingBounds) => Promise<Reading>
  /** What is asked ends, and nothing is begun any more. */
  readonly end: () => void
}

/** How V8 ends a process that has no memory left; which of them it is depends on its version and the processor. */
const BY_ITSELF: ReadonlySet<NodeJS.Signals> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL'])

/**
 * The process that reads source maps and mappings, started when it is needed and again for what needs more memory: one that may have much
 * takes it before it cleans up. A map that is too much for it ends it, and nothing else: a thread with a bound on its memory
 * would take the server with it.
 *
 * @param file what the process runs
 */
export const createMapProcess = (file: string = PROCESS_FILE): MapProcess => {
  let running: { readonly child: ChildProcess; readonly heapMib: number } | null = null
  let isOver = false

  const kill = (): void => {
    running?.child.kill('SIGKILL')
    running = null
  }

  const childWith = (heapMib: number): ChildProcess => {
    if (running !== null && running.heapMib >= heapMib) return running.child
    kill()
    const child = fork(file, [], {
      // Nothing of the server's environment: secrets are in it.
      env: {},
      execArgv: [`--max-old-space-size=${heapMib}`, '--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    running = { child, heapMib }
    // One that cannot be started says so more than once, also when nobody asks it any more.
    child.on('error', () => {})
    child.once('exit', () => {
      if (running?.child === child) running = null
    })
    return child
  }

  const askChild = async (child: ChildProcess, request: PrepareRequest, withinMs: number): Promise<Reading> => {
    const { promise, resolve } = Promise.withResolvers<Reading>()
    const timer = setTimeout(() => resolve({ kind: 'late' }), withinMs)
    // It could not be started, or is not there any more.
    const failed = (error: Error): void => resolve({ kind: 'away', error: error.message })
    const ended = (code: number | null, signal: NodeJS.Signals | null): void =>
      resolve(
        signal !== null && BY_ITSELF.has(signal)
          ? { kind: 'beyond' }
          : { kind: 'ended', error: `its process ended with ${signal ?? code}` },
      )
    child.once('message', resolve).once('error', failed).once('exit', ended)
    try {
      child.send(request)
      return await promise
    } finally {
      clearTimeout(timer)
      child.off('message', resolve).off('error', failed).off('exit', ended)
    }
  }

  return {
    end: () => {
      isOver = true
      kill()
    },

    ask: async (request, { heapMib, withinMs }) => {
      if (isOver) return { kind: 'ended', error: 'nothing is read any more' }
      try {
        const answer = await askChild(childWith(heapMib), request, withinMs)
        if (answer.kind !== 'prepared' && answer.kind !== 'refused') kill()
        return answer
      } catch (error) {
        kill()
        return { kind: 'away', error: stackOf(error) }
      }
    },
  }
}
