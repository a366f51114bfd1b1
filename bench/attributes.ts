/**
 * How attributes of spans are stored: maps by type, against ClickHouse's JSON type, on the same rows in the bare engine.
 * Printed, not written to the results: it is what docs/adr/0010 decided by.
 *
 *   node bench/attributes.ts [rows]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Session } from 'chdb'
import { table } from './lib/results.ts'

const ROWS = Number(process.argv[2] ?? 200_000)
const BATCH_ROWS = 10_000
const ROUNDS = 7
const STRINGS = 9
const NUMBERS = 4

const folder = mkdtempSync(join(tmpdir(), 'firsthand-attributes-'))
const session = new Session(folder)
const text = async (query: string): Promise<string> =>
  (await session.queryAsync(query, { format: 'TabSeparated' })).text().trim()

const random = (seed: number): number => ((Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0) % 1_000_003) / 1_000_003

/** A span has 13 attributes: of the same 40 names in each project, and of `own` further ones that applications invent. */
const attributesOf = (row: number, own: number) => {
  const name = (at: number): string =>
    at === 0 ? `app.key${Math.floor(random(row * 31) * own)}` : `http.name${(row * 7 + at) % 40}`
  const strings = Array.from({ length: STRINGS }, (_, at) => [name(at), `value ${Math.floor(random(row + at) * 500)}`])
  const numbers = Array.from({ length: NUMBERS }, (_, at) => [`size.${(row + at) % 12}`, random(row * at) * 10_000])
  return { strings: Object.fromEntries(strings) as object, numbers: Object.fromEntries(numbers) as object }
}

const SHAPES = [
  {
    name: 'maps by type',
    columns:
      'strings Map(LowCardinality(String), String) CODEC(ZSTD(1)), numbers Map(LowCardinality(String), Float64) CODEC(ZSTD(1))',
    rowOf: (row: number, own: number): object => attributesOf(row, own),
    group: "strings['http.name7']",
    search: "strings['http.name3'] = 'value 77' AND numbers['size.4'] > 5000",
  },
  {
    name: 'JSON type, 128 names as columns',
    columns: 'attributes JSON(max_dynamic_paths = 128) CODEC(ZSTD(1))',
    rowOf: (row: number, own: number): object => {
      const { strings, numbers } = attributesOf(row, own)
      return { attributes: { ...strings, ...numbers } }
    },
    group: 'attributes.`http.name7`::String',
    search: "attributes.`http.name3`::String = 'value 77' AND attributes.`size.4`::Float64 > 5000",
  },
] as const

const middleOf = async (query: string): Promise<number> => {
  await text(query)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now()
    await text(query)
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
}

const HEAD = [
  'attributes',
  'insert CPU µs/row',
  'merge CPU µs/row',
  'disk B/row',
  'group by one ms',
  'search of two ms',
]

const cpuOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

const rows: string[][] = []
for (const own of [50, 20_000]) {
  for (const [at, { name, columns, rowOf, group, search }] of SHAPES.entries()) {
    const stored = `shape_${own}_${at}`
    await text(`CREATE TABLE ${stored} (id UInt64, ${columns}) ENGINE = MergeTree ORDER BY id`)
    let insert = 0
    for (let start = 0; start < ROWS; start += BATCH_ROWS) {
      const lines: string[] = []
      for (let row = start; row < start + BATCH_ROWS; row += 1)
        lines.push(JSON.stringify({ id: row, ...rowOf(row, own) }))
      const values = Buffer.from(lines.join('\n'))
      insert += await cpuOf(() => session.insert({ table: stored, values, format: 'JSONEachRow' }))
    }
    const merge = await cpuOf(() => text(`OPTIMIZE TABLE ${stored} FINAL`))
    const size = await text(`SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = '${stored}'`)
    rows.push([
      `${name}; ${own} own names`,
      (insert / ROWS).toFixed(1),
      (merge / ROWS).toFixed(1),
      (Number(size) / ROWS).toFixed(0),
      (await middleOf(`SELECT ${group} AS v, count() FROM ${stored} GROUP BY v`)).toFixed(1),
      (await middleOf(`SELECT count() FROM ${stored} WHERE ${search}`)).toFixed(1),
    ])
  }
}
session.close()
rmSync(folder, { recursive: true, force: true })
console.log(table(HEAD, rows))
