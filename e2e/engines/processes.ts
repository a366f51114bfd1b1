import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { inject } from 'vitest'
import { noteProcess } from '../../tools/harness/noted-processes.ts'

/** Starts a group of processes, which ends with these tests however they end. Its fourth stream is a pipe. */
export const startGroup = (program: string, args: readonly string[], environment: NodeJS.ProcessEnv): ChildProcess => {
  const child = spawn(program, args, {
    env: environment,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  note(child)
  return child
}

export const note = ({ pid }: ChildProcess): void => {
  if (pid !== undefined) noteProcess(inject('sharedFolder'), pid)
}

export const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

/** Nothing is kept of a browser that has been looked at: its profile goes with the folder of the run. */
export const endGroup = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined) return
  const ended = isRunning(child) ? once(child, 'exit') : Promise.resolve()
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // All of the group have ended already.
  }
  await ended
}
