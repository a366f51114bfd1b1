import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import { createQuarantine } from './quarantine.ts'

let directory: string
const lines: string[] = []
const logger = createLogger(
  'debug',
  (line) => lines.push(line),
  () => 0,
)
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'firsthand-quarantine-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

describe('quarantine', () => {
  it('keeps the newest items within its bounds, over restarts too', async () => {
    const open = () => createQuarantine({ directory, logger, maxFiles: 3, maxBytes: 300 })
    let quarantine = open()
    for (const name of ['a', 'b', 'b', 'c', 'd']) await quarantine.put(name, { error: 'x' }, Buffer.alloc(50))
    expect((await readdir(directory)).sort()).toEqual(['b.item', 'c.item', 'd.item'])
    quarantine = open()
    await quarantine.put('e', {}, Buffer.alloc(200))
    expect((await readdir(directory)).length).toBeLessThanOrEqual(2)
    expect(await readdir(directory)).toContain('e.item')
    await quarantine.put('too-long', {}, Buffer.alloc(400))
    expect(await readdir(directory)).toContain('e.item')
  })

  it('never throws', async () => {
    const file = join(directory, 'file')
    await writeFile(file, '')
    await createQuarantine({ directory: file, logger }).put('a', {}, Buffer.alloc(1))
    expect(lines.join('')).toContain('quarantine')
  })
})
