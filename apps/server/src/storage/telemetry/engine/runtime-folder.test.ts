import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeRuntimeFolder, removeAbandonedFolders } from './runtime-folder.ts'

describe('runtime folders of the engine', () => {
  let parent: string
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'firsthand-folders-'))
  })
  afterEach(() => rmSync(parent, { recursive: true, force: true }))

  const dead = spawnSync(process.execPath, ['--version']).pid

  const folder = (name: string, owner: string | null): string => {
    const path = join(parent, name)
    mkdirSync(path)
    writeFileSync(join(path, 'engine.xml'), '<clickhouse/>')
    if (owner !== null) writeFileSync(join(path, 'owner'), owner)
    return path
  }

  it('go when the process that made them is dead', () => {
    const left = folder('firsthand-aaaaaa', `${dead} ${hostname()}`)
    removeAbandonedFolders(parent)
    expect(existsSync(left)).toBe(false)
  })

  it('stay while their process lives, and when it cannot be told', () => {
    const kept = [
      makeRuntimeFolder(parent),
      folder('firsthand-bbbbbb', `${process.ppid} ${hostname()}`),
      folder('firsthand-cccccc', `${dead} another-machine`),
      folder('firsthand-dddddd', null),
      folder('firsthand-eeeeee', 'nobody'),
      folder('firsthand-longer-name', `${dead} ${hostname()}`),
    ]
    removeAbandonedFolders(parent)
    expect(kept.filter((path) => !existsSync(path))).toEqual([])
  })

  it('go when an earlier process had the number of this one', () => {
    const left = folder('firsthand-ffffff', `${process.pid} ${hostname()}`)
    utimesSync(join(left, 'owner'), 1, 1)
    removeAbandonedFolders(parent)
    expect(existsSync(left)).toBe(false)
  })

  it('are not looked for behind links', () => {
    const elsewhere = folder('elsewhere', `${dead} ${hostname()}`)
    symlinkSync(elsewhere, join(parent, 'firsthand-gggggg'))
    removeAbandonedFolders(parent)
    expect(existsSync(join(elsewhere, 'engine.xml'))).toBe(true)
  })

  it('and a parent that does not exist are no problem', () => {
    expect(() => removeAbandonedFolders(join(parent, 'nowhere'))).not.toThrow()
  })
})
