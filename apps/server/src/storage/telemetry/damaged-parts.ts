import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { DAY_MS } from '../../lib/durations.ts'
import { finding } from '../../lib/findings.ts'
import type { Findings } from '../../lib/findings.ts'
import { createCutParts } from './cut-parts.ts'
import type { CutPart } from './engine/engine-messages.ts'

/**
 * What of the telemetry is damaged on disk. The engine sets parts aside that it finds damaged when it starts, and says
 * nothing to those who ask: their rows are simply missing. Parts that are damaged later fail the reads that meet them. So do
 * parts with a damaged projection, which the engine takes as they are: it marks the projection and does not look whether
 * the rest of the part is whole.
 */
export interface DamagedParts {
  /** Looks at what was set aside, at what the engine found damaged but left in place, and whether what was met is still there. */
  check(): Promise<void>
  /** A read failed with this message of the engine, which names the part. */
  met(message: string): void
  /** A full disk cut these parts; the engine sets them aside when it starts again, before the next check. */
  wereCut(parts: readonly CutPart[]): void
}

/** Of damage that no part is named of: over at the second check after the last read that met it. */
const NAMELESS_CHECKS = 2

const WEEK_MS = 7 * DAY_MS

/** Partitions are weeks, named after their Monday: `20261116` → milliseconds since the epoch. */
const mondayOf = (partition: string): number | null => {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(partition) ?? []
  return year === undefined ? null : Date.UTC(Number(year), Number(month) - 1, Number(day))
}

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** ` between 2026-11-16 and 2026-11-22`, or nothing when it is not known. */
const periodOf = (partitions: readonly string[]): string => {
  const mondays = partitions.map(mondayOf).filter((monday) => monday !== null)
  if (mondays.length === 0) return ''
  return ` between ${day(Math.min(...mondays))} and ${day(Math.max(...mondays) + WEEK_MS - 1)}`
}

interface DetachedPart {
  readonly table: string
  /** Of its folder. */
  readonly name: string
  readonly partition: string
  readonly path: string
}

/** The engine keeps the number of rows beside them; null when that is damaged too, or on another machine. */
const rowsOf = async (path: string): Promise<number | null> => {
  // Missing or unreadable: the number is not known.
  const text = await readFile(join(path, 'count.txt'), 'utf8').catch(() => '')
  return /^\d+$/.test(text.trim()) ? Number(text) : null
}

const partsWord = (count: number): string => `${count} damaged part${count === 1 ? '' : 's'}`

const tellDetached = async (
  findings: Pick<Findings, 'tell' | 'clear'>,
  parts: readonly DetachedPart[],
): Promise<void> => {
  if (parts.length === 0) {
    findings.clear('telemetry_set_aside')
    return
  }
  const told: string[] = []
  const foldersOf = (some: readonly DetachedPart[]): string =>
    [...new Set(some.map(({ path }) => dirname(path.replace(/\/$/, ''))))].join(', ')
  for (const [table, own] of Map.groupBy(parts, (part) => part.table)) {
    const rows = await Promise.all(own.map(({ path }) => rowsOf(path)))
    const known = rows.reduce<number>((sum, count) => sum + (count ?? 0), 0)
    const about = known === 0 ? '' : ` with about ${known} rows`
    told.push(
      `${partsWord(own.length)} of ${table}${about}${periodOf(own.map(({ partition }) => partition))} in ${foldersOf(own)}`,
    )
  }
  findings.tell(
    finding(
      'telemetry_set_aside',
      `Part of the telemetry cannot be read: ${told.join('; ')}. The engine set them aside, so their rows are missing from every page. Check the disk, and restore the data folder from a backup; or, to go on without these rows, remove the folders there whose names begin with “broken”.`,
    ),
  )
}

/**
 * Part folder and table in a message of the engine: `(while reading from part <folder>/ in table <database>.<table> …`. Of
 * a projection, `<folder>/<name>.proj/`, the folder of the part is meant: it is what one can move away.
 */
const READING_FROM = /while reading from part (\S+?)(?:\/[^\s/]+\.proj)?\/? in table \S+?\.(\w+) /

export const createDamagedParts = ({
  client,
  findings,
}: {
  readonly client: ClickHouseClient
  readonly findings: Pick<Findings, 'tell' | 'clear'>
}): DamagedParts => {
  /** Folder → table, of parts that could not be read, or of which the engine found a projection damaged. */
  const damaged = new Map<string, string>()
  /** Nothing tells whether such damage is still there but the reads that meet it: so many checks remember it. */
  let checksToRemember = 0
  const cut = createCutParts(client)

  const tellMet = (): void => {
    const folders = [...damaged.keys()]
    if (folders.length === 0 && checksToRemember === 0) {
      findings.clear('telemetry_damaged')
      return
    }
    const where = folders.length === 0 ? '' : ` (${folders.join(', ')})`
    findings.tell(
      finding(
        'telemetry_damaged',
        `Part of the telemetry is damaged on disk${where}: pages that need it answer 503. Check the disk, and restore the data folder from a backup. To go on without these rows, stop Firsthand, move the damaged folder elsewhere, and start it again.`,
      ),
    )
  }

  const checkOnce = async (): Promise<void> => {
    const detached = await client.query({
      query: `SELECT table, name, ifNull(partition_id, '') AS partition, path FROM system.detached_parts
        WHERE database = currentDatabase() AND reason LIKE 'broken%' ORDER BY table, path`,
      format: 'JSONEachRow',
    })
    await tellDetached(findings, await cut.dropReplaced(await detached.json<DetachedPart>()))
    checksToRemember = Math.max(0, checksToRemember - 1)
    await addBrokenProjections()
    if (damaged.size > 0) await forgetGone()
    tellMet()
  }

  const addBrokenProjections = async (): Promise<void> => {
    const broken = await client.query({
      query: `SELECT table, trimRight(path, '/') AS folder FROM system.projection_parts
        WHERE database = currentDatabase() AND active AND is_broken ORDER BY folder`,
      format: 'JSONEachRow',
    })
    for (const { table, folder } of await broken.json<{ table: string; folder: string }>()) {
      damaged.set(dirname(folder), table)
    }
  }

  /** Parts that were moved away, or replaced by the engine. */
  const forgetGone = async (): Promise<void> => {
    const active = await client.query({
      query: `SELECT trimRight(path, '/') AS folder FROM system.parts
        WHERE database = currentDatabase() AND active AND table IN {tables:Array(String)}`,
      query_params: { tables: [...new Set(damaged.values())] },
      format: 'JSONEachRow',
    })
    const folders = new Set((await active.json<{ folder: string }>()).map(({ folder }) => folder))
    for (const folder of damaged.keys()) if (!folders.has(folder)) damaged.delete(folder)
  }

  let last: Promise<void> = Promise.resolve()
  /** One after the other: what one removes the next must not look for. */
  const check = (): Promise<void> => {
    const next = last.then(checkOnce)
    // Whoever asked is told that it failed; the next check begins all the same.
    last = next.catch(() => undefined)
    return next
  }

  return {
    check,
    met: (message) => {
      const [, folder, table] = READING_FROM.exec(message) ?? []
      if (folder === undefined || table === undefined) checksToRemember = NAMELESS_CHECKS
      else damaged.set(folder, table)
      tellMet()
    },
    wereCut: cut.add,
  }
}
