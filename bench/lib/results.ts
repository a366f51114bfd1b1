import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

const file = join(import.meta.dirname, '..', 'RESULTS.md')

export type Row = readonly string[]

export const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

/** Replaces the section of that name in RESULTS.md, and keeps the others. */
export const writeSection = (name: string, body: string): void => {
  const before = existsSync(file)
    ? readFileSync(file, 'utf8')
    : '# Results\n\nEach section is written anew by its own measurement: `npm run bench:…`.\n'
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const section = `## ${name}\n\n${machine}; sender on the same machine.\n\n${body}\n`
  const pattern = new RegExp(`## ${name}\\n[\\s\\S]*?(?=\\n## |$)`)
  writeFileSync(
    file,
    pattern.test(before) ? before.replace(pattern, () => section) : `${before.trimEnd()}\n\n${section}`,
  )
}

export const number = (value: number, digits = 0): string =>
  value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })
