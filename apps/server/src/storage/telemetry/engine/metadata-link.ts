import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { StorageCorruptError } from '../../errors.ts'

/**
 * The engine finds its tables through one symbolic link of the telemetry folder: `metadata/default` → the folder of
 * `store` that has a statement (`<table>.sql`) for each table. Programs that copy the folder may put a second copy of the
 * files in the link's place (`cp -rL`, zip): the engine does not open that. They may leave the link out (`rsync -r`): the
 * engine then starts with new, empty tables beside the old ones. Or they make it lead into the folder that was copied.
 */

const UUID_FOLDER = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const list = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // A folder that is not there, or not ours to read, holds no tables to move.
    return []
  }
}

/** The statements in a folder by their file names; null when something else is in it, or nothing. */
const statementsIn = (folder: string): ReadonlyMap<string, string> | null => {
  const entries = list(folder)
  if (entries.length === 0 || entries.some((entry) => !entry.isFile() || !entry.name.endsWith('.sql'))) return null
  return new Map(entries.map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]))
}

const sameStatements = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([name, text]) => b.get(name) === text)

type Place = 'right' | 'absent' | 'elsewhere' | 'copied'

const placeOf = (path: string, link: string): Place => {
  let found
  try {
    found = lstatSync(link)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'absent'
    throw error
  }
  if (found.isDirectory()) return 'copied'
  if (!found.isSymbolicLink()) return 'elsewhere'
  try {
    return realpathSync(link).startsWith(join(realpathSync(path), 'store') + sep) ? 'right' : 'elsewhere'
  } catch {
    // A link that leads nowhere, as after a move of the folder.
    return 'elsewhere'
  }
}

/**
 * Puts the link right when it is certain where it led: one folder alone has statements, and a copy in the link's place
 * has the same ones, byte for byte. Call it before the engine opens the folder, and only while nobody else has it open.
 *
 * @returns what was wrong, for the log; null when nothing was
 * @throws StorageCorruptError when it is not certain; nothing was changed
 */
export const mendMetadataLink = (path: string): string | null => {
  const link = join(path, 'metadata', 'default')
  const place = placeOf(path, link)
  if (place === 'right') return null
  const store = join(path, 'store')
  const folders = list(store)
    .flatMap((group) => list(join(store, group.name)).map(({ name }) => join(store, group.name, name)))
    .filter((folder) => UUID_FOLDER.test(folder.slice(-36)))
    .flatMap((folder) => {
      const statements = statementsIn(folder)
      return statements === null ? [] : [{ folder, statements }]
    })
  // A new folder, or one whose first start was interrupted.
  if (place === 'absent' && folders.length === 0) return null
  const copied = place === 'copied' ? statementsIn(link) : null
  const [only, second] = folders
  const certain =
    only !== undefined &&
    second === undefined &&
    (place !== 'copied' || (copied !== null && sameStatements(copied, only.statements)))
  if (!certain) {
    throw new StorageCorruptError(
      `The telemetry folder ${path} was copied without its symbolic links, and it is not certain where ${link} led. Copy the data folder again, of a stopped server and with its links (cp -a, rsync -a, tar). Nothing was changed.`,
    )
  }
  rmSync(link, { recursive: true, force: true })
  symlinkSync(relative(join(path, 'metadata'), only.folder), link)
  return place === 'copied'
    ? 'a copy of the files stood in the place of a symbolic link'
    : place === 'absent'
      ? 'a symbolic link was missing'
      : 'a symbolic link led out of the folder'
}

/** Folders that nothing reads: second copies of tables, where the engine keeps links for people. */
export const doubledFolders = (path: string): readonly string[] => {
  const folder = join(path, 'data', 'default')
  return list(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
}
