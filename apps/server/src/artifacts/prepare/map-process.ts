import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { LIMITS } from '../limits.ts'
import type { PrepareAnswer, PrepareRequest } from './messages.ts'

const PROCESS_FILE = fileURLToPath(new URL('./prepare-process.ts', import.meta.url))

/** What became of a map; 'beyond' when it took more memory or time than it may. */
export type Reading = PrepareAnswer | { readonly kind: 'beyond' }

export interface MapProcess {
  /** @param heapMib what reading it may take, beside the bytes of what is made of it */
  readonly ask: (request: PrepareRequest, heapMib: number) => Promise<Reading>
  readonly end: () => void
}

/**
 * The process that reads source maps, started when it is needed and again for what needs more memory: one that may have much
 * takes it before it cleans up. A map that is too much for it ends it, and nothing else: a thread with a bound on its memory
 * would take the server with it.
 */
export const createMapProcess = (): MapProcess => {
  let running: { readonly child: ChildProcess; readonly heapMib: number } | null = null

  const end = (): void => {
    running?.child.kill('SIGKILL')
    running = null
  }

  const childWith = (heapMib: number): ChildProcess => {
    if (running !== null && running.heapMib >= heapMib) return running.child
    end()
    const child = fork(PROCESS_FILE, [], {
      // Nothing of the server's environment: secrets are in it.
      env: {},
      execArgv: [`--max-old-space-size=${heapMib}`, '--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    running = { child, heapMib }
    return child
  }

  return {
    end,

    ask: async (request, heapMib) => {
      const child = childWith(heapMib)
      const { promise, resolve } = Promise.withResolvers<Reading>()
      const timer = setTimeout(() => resolve({ kind: 'beyond' }), LIMITS.PREPARE_MAP_MS)
      const failed = (error: Error): void => resolve({ kind: 'failed', error: error.message })
      // Of JavaScript that has no memory left, or of a system that has none.
      const ended = (code: number | null, signal: NodeJS.Signals | null): void =>
        resolve(signal === null ? { kind: 'failed', error: `its process ended with ${code}` } : { kind: 'beyond' })
      child.once('message', resolve).once('error', failed).once('exit', ended)
      child.send(request)
      try {
        const answer = await promise
        if (answer.kind === 'beyond' || answer.kind === 'failed') end()
        return answer
      } finally {
        clearTimeout(timer)
        child.off('message', resolve).off('error', failed).off('exit', ended)
      }
    },
  }
}
