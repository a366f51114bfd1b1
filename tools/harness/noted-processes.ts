/**
 * Servers that outlive the test file that started them: a worker notes their process ids in a folder, and whoever runs the
 * workers ends them when all tests are done, however the workers ended.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run: what the workers keep there is ended and deleted when all tests are done. */
    readonly sharedFolder: string
  }
}

const ENDS_WITHIN_MS = 30_000
const LOOKS_EVERY_MS = 50

const pidFolder = (folder: string): string => join(folder, 'pids')

export const noteProcess = (folder: string, pid: number): void => {
  mkdirSync(pidFolder(folder), { recursive: true })
  writeFileSync(join(pidFolder(folder), String(pid)), '')
}

const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name)
  } catch {
    // It has ended, or it belongs to somebody else: both are no process of these tests.
    return false
  }
}

/** Asks each to end, waits, and kills what does not. */
export const endNoted = async (folder: string): Promise<void> => {
  if (!existsSync(pidFolder(folder))) return
  const pids = readdirSync(pidFolder(folder)).map(Number)
  for (const pid of pids) signal(pid, 'SIGTERM')
  const deadline = Date.now() + ENDS_WITHIN_MS
  while (pids.some((pid) => signal(pid, 0)) && Date.now() < deadline) {
    await new Promise((resolve) => {
      setTimeout(resolve, LOOKS_EVERY_MS)
    })
  }
  for (const pid of pids) signal(pid, 'SIGKILL')
}
