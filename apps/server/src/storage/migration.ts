import { createHash } from 'node:crypto'
import { StorageVersionError } from './errors.ts'

/** One step of a store's shape. Once released it is never changed; the next step gets the next number. */
export interface Migration {
  /** 1, 2, 3 … without gaps. */
  readonly number: number
  readonly name: string
  readonly statements: readonly string[]
  /** For the log of a ledger: by name, queries that give one number as `count` once the statements have run. */
  readonly counts?: Readonly<Record<string, string>>
}

/** What a store says about a migration that it went through. */
export interface AppliedMigration {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** SHA-256 (hex) over the statements, blind to layout. */
export const checksumOf = (migration: Migration): string =>
  createHash('sha256')
    .update(migration.statements.map((statement) => statement.replace(/\s+/g, ' ').trim()).join(';\n'))
    .digest('hex')

/**
 * The migrations that are still to run, in order.
 *
 * @param store how messages call it, e.g. `The ledger /data/ledger.sqlite`
 * @throws StorageVersionError when the store knows a migration that this program does not
 */
export const pendingMigrations = (
  store: string,
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] => {
  const newest = known.at(-1)?.number ?? 0
  const beyond = applied.reduce((highest, entry) => Math.max(highest, entry.number), 0)
  if (beyond > newest) {
    throw new StorageVersionError(
      `${store} has format version ${beyond}, but this Firsthand knows versions up to ${newest}: it was written by a newer program. ` +
        `Start that newer version again, or restore a backup that was made before the upgrade. Nothing was changed.`,
    )
  }
  const byNumber = new Map(applied.map((entry) => [entry.number, entry]))
  for (const migration of known) {
    const entry = byNumber.get(migration.number)
    if (entry !== undefined && entry.checksum !== checksumOf(migration)) {
      throw new StorageVersionError(
        `${store} has format version ${beyond}, but its step ${migration.number} (${entry.name}) differs from the one in this Firsthand (versions up to ${newest}): ` +
          `it was written by a differently built program. Start that program again, or restore a backup. Nothing was changed.`,
      )
    }
  }
  return known.filter((migration) => !byNumber.has(migration.number))
}

/**
 * The steps of all capabilities in the order of their numbers.
 *
 * @throws Error when a number is missing or given twice
 */
export const inOrder = (migrations: readonly Migration[]): readonly Migration[] => {
  const ordered = migrations.toSorted((one, other) => one.number - other.number)
  ordered.forEach(({ number, name }, index) => {
    if (number !== index + 1) {
      throw new Error(
        `Migration ${number} (${name}) stands where number ${index + 1} should: numbers have no gaps and no doubles.`,
      )
    }
  })
  return ordered
}
