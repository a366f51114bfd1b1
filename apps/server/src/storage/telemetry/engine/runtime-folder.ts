import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Short, because socket paths may have 107 bytes at most and a data folder may be deeper. */
const PREFIX = 'firsthand-'
const NAME = /^firsthand-[A-Za-z0-9]{6}$/
/** Who made the folder: `<pid> <host name>`. Containers may share a temporary folder but not their processes. */
const OWNER = 'owner'
const OWNER_MAX_CHARACTERS = 300

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** In doubt false: a folder without an owner's name may be about to get one. */
const isAbandoned = (folder: string): boolean => {
  const { uid } = lstatSync(folder)
  if (process.getuid !== undefined && uid !== process.getuid()) return false
  const file = join(folder, OWNER)
  const written = lstatSync(file)
  if (!written.isFile() || written.size > OWNER_MAX_CHARACTERS) return false
  const [, pid, host] = /^(\d{1,10}) (.*)$/.exec(readFileSync(file, 'utf8')) ?? []
  if (host !== hostname()) return false
  // A container that is started again gives out the same numbers: one of before this process began is not of this one.
  if (Number(pid) === process.pid) return written.mtimeMs < Date.now() - process.uptime() * 1000 - 1000
  return !isRunning(Number(pid))
}

/**
 * Removes the folders of engines whose server was killed before it could; an engine does that itself unless it was
 * killed too. Folders of other users, other machines and living processes stay.
 *
 * @param parent tests: where the folders are
 */
export const removeAbandonedFolders = (parent = tmpdir()): void => {
  let names: string[]
  try {
    names = readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
      .map(({ name }) => name)
  } catch {
    // Tidying only: when the folder cannot be read, what was left there stays.
    return
  }
  for (const name of names) {
    const folder = join(parent, name)
    try {
      if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true })
    } catch {
      // It went meanwhile, or it is not ours: neither is in the way.
    }
  }
}

/** A new folder for the socket and the configuration of one engine, which only this user can enter. */
export const makeRuntimeFolder = (parent = tmpdir()): string => {
  const folder = mkdtempSync(join(parent, PREFIX))
  writeFileSync(join(folder, OWNER), `${process.pid} ${hostname()}`, { mode: 0o600 })
  return folder
}
