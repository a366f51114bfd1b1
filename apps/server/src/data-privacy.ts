import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from './lib/logger.ts'

/**
 * Everything in the data folder is its owner's alone: the ledger has the installation's secret and the hashes of passwords,
 * the rest has what users did. What is made is closed by the process's umask; this finds and closes what an older version,
 * a copy or a restored backup left open.
 */

const FOR_OTHERS = 0o077
const PERMISSIONS = 0o7777

/** Firsthand's own entries of the folder. Others are left alone: somebody may have chosen a folder that is not only ours. */
const OWN =
  /^(?:ledger\.sqlite(?:-wal|-shm|-journal)?|server\.lock(?:-journal)?|findings\.json(?:\.new)?|quotas\.json(?:\.tmp)?|spool|telemetry|telemetry-inserts|blobs|quarantine)$/
/** Of the volume, or of tools; no reason to think that the folder is not ours. */
const OF_NO_PROGRAM = /^(?:\.|lost\+found$)/

/** What other users of this machine may reach. Folders are enough: nobody gets at what is in a closed one. */
interface Opened {
  /** Of the data folder, '.' for itself. */
  readonly name: string
  readonly mode: number
}

/** @returns [] as well for a folder that does not exist */
export const openToOthers = (dataDir: string): Opened[] => {
  const look = (name: string): Opened[] => {
    // The folder itself may be a link; what a link in it leads to is not ours to change.
    const found = (name === '.' ? statSync : lstatSync)(join(dataDir, name), { throwIfNoEntry: false })
    if (found === undefined || found.isSymbolicLink() || (found.mode & FOR_OTHERS) === 0) return []
    return [{ name, mode: found.mode & PERMISSIONS }]
  }
  try {
    const names = readdirSync(dataDir)
    const isOurs = names.every((name) => OWN.test(name) || OF_NO_PROGRAM.test(name))
    return [...(isOurs ? look('.') : []), ...names.filter((name) => OWN.test(name)).flatMap(look)]
  } catch {
    // A folder that is not there yet, or that cannot be read: the start itself says so, with the reason.
    return []
  }
}

/** Takes the rights of group and others away, and says so once in the log. */
export const closeToOthers = (dataDir: string, logger: Logger): void => {
  const closed: string[] = []
  for (const { name, mode } of openToOthers(dataDir)) {
    try {
      chmodSync(join(dataDir, name), mode & ~FOR_OTHERS)
      closed.push(name)
    } catch (error) {
      logger.warn(
        'other users of this machine can read the data, and this user may not change that: give the data folder to the user that runs Firsthand',
        { path: join(dataDir, name), mode: mode.toString(8), error: String(error) },
      )
    }
  }
  if (closed.length > 0) {
    logger.warn('other users of this machine could read the data; from now on its owner alone can', {
      folder: dataDir,
      closed: closed.join(' '),
    })
  }
}
