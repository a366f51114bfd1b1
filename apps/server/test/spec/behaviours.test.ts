import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cell, ROOT, tableOf } from './spec-tables.ts'

/** `file › name of the test`, several of them behind each other with `;`. */
const testsOf = (text: string): readonly { readonly file: string; readonly name: string }[] =>
  text.split('; ').map((entry) => {
    const [file = '', name = ''] = entry.split(' › ')
    return { file: file.replaceAll('`', ''), name }
  })

describe('docs/spec.md, the specification’s behaviours', () => {
  it.each(tableOf('behaviours'))('$where: $behaviour', (row) => {
    const evidence = cell(row, 'test')
    if (/^(?:issue \d+|a later issue|missing)/.test(evidence)) return
    for (const { file, name } of testsOf(evidence)) {
      const path = join(ROOT, file)
      expect(existsSync(path), `docs/spec.md names the test file ${file}, which does not exist`).toBe(true)
      expect(name).not.toBe('')
      expect(readFileSync(path, 'utf8').includes(name), `${file} has no test named "${name}"`).toBe(true)
    }
  })
})
