import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { finding } from './lib/findings.ts'
import type { Findings } from './lib/findings.ts'
import { StoreFault } from './lib/store-fault.ts'
import { LIMITS } from './storage/limits.ts'
import { watchLedgerFile } from './storage/index.ts'

/** Looks after the ledger's file while the server runs, when it is a file. */
export interface LedgerGuard {
  /** @throws StoreFault while the file is not the one that was opened: nothing may read or write it */
  assertSame(): void
  /**
   * @param onReplaced called once: whatever writes to the ledger by itself has to stop. Only a new start goes on from
   *   there; a file that was only moved away, or could not be read for a while, is accepted again
   */
  watch(onReplaced: () => void): void
  /** After the ledger was closed. */
  close(): void
}

export const guardLedger = (parts: {
  readonly config: Pick<Config, 'dataDir' | 'postgresUrl'>
  readonly findings: Pick<Findings, 'watch'>
  /** Whether the data folder itself is away, which is told in its place. */
  readonly isDataGone: () => boolean
}): LedgerGuard => {
  const { config, findings, isDataGone } = parts
  if (config.postgresUrl !== null)
    return { assertSame: () => undefined, watch: () => undefined, close: () => undefined }
  const path = join(config.dataDir, 'ledger.sqlite')
  const file = watchLedgerFile(path)
  let state: 'same' | 'absent' | 'unreadable' | 'replaced' = 'same'

  /** The folder is looked for as well: `isDataGone` may not know yet. */
  const isFolderAway = (): boolean => isDataGone() || !existsSync(config.dataDir)
  /** A file that is back counts at once. */
  const lookForReturn = (): void => {
    if ((state === 'absent' || state === 'unreadable') && file.check() === 'same') state = 'same'
  }

  findings.watch(() => {
    lookForReturn()
    if (state === 'same' || isFolderAway()) return null
    if (state === 'absent') {
      return finding(
        'ledger_away',
        `The ledger ${path} was moved away while Firsthand runs. Accounts and issues can neither be read nor changed, and new events are refused with 503. Put it back: Firsthand goes on by itself then.`,
      )
    }
    if (state === 'unreadable') {
      return finding(
        'ledger_unreadable',
        `The ledger ${path} cannot be read (${file.fault ?? 'just now'}): the operating system refuses it, as with a disk that fails or a volume that is away. Accounts and issues can neither be read nor changed, and new events are refused with 503. Firsthand goes on by itself once the file can be read again; look at the disk and at the system’s log.`,
      )
    }
    return finding(
      'ledger_replaced',
      `The ledger ${path} was replaced, overwritten or removed while Firsthand runs. Accounts and issues can neither be read nor changed, and new events are refused with 503, because their keys cannot be looked up; what was accepted is kept in the spool. Stop Firsthand, put the right file in its place, remove ${path}-wal and ${path}-shm, and start it again.`,
    )
  })

  const look = (onReplaced: () => void): void => {
    if (state === 'replaced') return
    const found = file.check()
    state = found === 'overwritten' ? 'replaced' : found
    if (state === 'replaced') onReplaced()
  }
  let timer: NodeJS.Timeout | undefined
  return {
    watch: (onReplaced) => {
      timer = setInterval(() => look(onReplaced), LIMITS.LEDGER_CHECK_INTERVAL_MS)
      timer.unref()
    },
    assertSame: () => {
      lookForReturn()
      if (state === 'same') return
      if (isFolderAway()) {
        throw new StoreFault(
          'The server’s data folder was removed or replaced while it runs, so nothing can be read or changed. Whoever runs the server has to put the folder back, or to start the server again.',
        )
      }
      if (state === 'absent') {
        throw new StoreFault(
          'The ledger (accounts, projects and issues) was moved away while the server runs, so nothing can be read or changed. Whoever runs the server has to put it back; the server goes on by itself then.',
        )
      }
      if (state === 'unreadable') {
        throw new StoreFault(
          'The ledger (accounts, projects and issues) cannot be read, because its disk fails or is away, so nothing can be read or changed. Whoever runs the server has to look at the disk; the server goes on by itself once the file can be read again.',
        )
      }
      throw new StoreFault(
        'The ledger (accounts, projects and issues) was replaced while the server runs, so nothing can be read or changed. Whoever runs the server has to stop it, put the right file in place and start it again; `firsthand doctor` says how.',
      )
    },
    close: () => {
      clearInterval(timer)
      file.close()
    },
  }
}
