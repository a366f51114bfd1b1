import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PreparedMap } from '../maps/prepared-map.ts'
import { createMapProcess, type MapProcess } from './map-process.ts'

let reader: MapProcess
let folder: string
const within = (heapMib: number) => ({ heapMib, withinMs: 60_000 })

beforeEach(() => {
  reader = createMapProcess()
  folder = mkdtempSync(join(tmpdir(), 'firsthand-map-process-'))
})

afterEach(() => {
  reader.end()
  rmSync(folder, { recursive: true, force: true })
})

const asked = (map: string | Uint8Array) => {
  const paths = {
    kind: 'map' as const,
    map: join(folder, 'map'),
    code: null,
    out: join(folder, 'out'),
    url: '~/app.js.map',
    sources: null,
  }
  writeFileSync(paths.map, map)
  return paths
}

/** Reading takes twice so many bytes: letters that are none of the first 256 take two each. */
const mapWith = (letters: number): string =>
  JSON.stringify({
    version: 3,
    sources: ['src/tea.ts'],
    sourcesContent: ['茶'.repeat(letters)],
    names: [],
    mappings: 'AAAA',
  })

it('reads a map within the memory that it is given, and outlives one that needs more', async () => {
  expect(await reader.ask(asked(mapWith(32 * 1024 * 1024)), within(32))).toEqual({ kind: 'beyond' })
  const paths = asked(mapWith(1024))
  const read = await reader.ask(paths, within(32))
  const made = readFileSync(paths.out)
  expect(read).toEqual({
    kind: 'prepared',
    bytes: made.length,
    sha256: createHash('sha256').update(made).digest('hex'),
  })
  expect(PreparedMap.of(made)?.sourceName(0)).toBe('src/tea.ts')
})

it('leaves what it made before alone where that has another name by now, as a blob', async () => {
  const paths = asked(mapWith(1))
  await reader.ask(paths, within(64))
  const blob = join(folder, 'blob')
  linkSync(paths.out, blob)
  const before = readFileSync(blob)
  const mapping = join(folder, 'mapping')
  writeFileSync(mapping, 'com.acme.Tea -> a.b:\n')
  for (const request of [asked(mapWith(2)), { kind: 'mapping' as const, mapping, out: paths.out }]) {
    expect(await reader.ask(request, within(64))).toMatchObject({ kind: 'prepared' })
    expect(readFileSync(blob).equals(before)).toBe(true)
    expect(readFileSync(paths.out).equals(before)).toBe(false)
  }
})

it('says what is no map, and goes on', async () => {
  expect(await reader.ask(asked('<html>'), within(64))).toMatchObject({
    kind: 'refused',
    sentence: expect.stringContaining('HTML'),
  })
  expect(await reader.ask({ ...asked(''), map: join(folder, 'none') }, within(64))).toMatchObject({
    kind: 'failed',
    error: expect.stringContaining('ENOENT'),
  })
  expect(await reader.ask(asked(mapWith(1)), within(64))).toMatchObject({ kind: 'prepared' })
})

/** A process that does something else when it is asked. */
const doing = (act: string): MapProcess => {
  const file = join(folder, 'other.mjs')
  writeFileSync(file, `process.on('message', () => { ${act} })`)
  return createMapProcess(file)
}

it.each(['SIGKILL', 'SIGTERM', 'SIGINT'])(
  'does not take %s, which others sent, for a map that is too much',
  async (signal) => {
    const other = doing(`process.kill(process.pid, '${signal}')`)
    expect(await other.ask(asked(mapWith(1)), within(64))).toEqual({
      kind: 'ended',
      error: `its process ended with ${signal}`,
    })
  },
)

it('tells time that is over from memory, and ends what is still at it', async () => {
  const other = doing(`for (;;);`)
  expect(await other.ask(asked(mapWith(1)), { heapMib: 64, withinMs: 1 })).toEqual({ kind: 'late' })
})

it('says that the disk is full as something that passes', async () => {
  const paths = { ...asked(mapWith(1)), out: '/dev/full' }
  expect(await reader.ask(paths, within(64))).toMatchObject({ kind: 'away', error: expect.stringContaining('ENOSPC') })
  expect(await reader.ask(asked(mapWith(1)), within(64))).toMatchObject({ kind: 'prepared' })
})

it('says that no process could be started as something that passes', async () => {
  const { execPath } = process
  process.execPath = join(folder, 'no-node')
  try {
    expect(await reader.ask(asked(mapWith(1)), within(64))).toMatchObject({
      kind: 'away',
      error: expect.stringContaining('ENOENT'),
    })
  } finally {
    process.execPath = execPath
  }
})

it('ends what is asked with itself, and begins nothing more', async () => {
  const other = doing(`for (;;);`)
  const answer = other.ask(asked(mapWith(1)), within(64))
  other.end()
  expect(await answer).toMatchObject({ kind: 'ended' })
  expect(await other.ask(asked(mapWith(1)), within(64))).toMatchObject({ kind: 'ended' })
})

const PROCESS_FILE = fileURLToPath(new URL('./prepare-process.ts', import.meta.url))

it.runIf(process.platform === 'linux')(
  'has the system end it before others, and write nothing of it to disk',
  async () => {
    const child = fork(PROCESS_FILE, [], { execArgv: [] })
    try {
      child.send({ map: join(folder, 'none'), code: null, out: join(folder, 'out') })
      await once(child, 'message')
      const told = (file: string): string => readFileSync(`/proc/${child.pid}/${file}`, 'utf8').trim()
      expect(told('oom_score_adj')).toBe('1000')
      expect(Number(told('coredump_filter'))).toBe(0)
    } finally {
      child.kill('SIGKILL')
    }
  },
)

/** Starts the process, has it open a file that nobody ever writes to, and says so. */
const SERVER = `
  const { fork } = require('node:child_process')
  const [, file, pipe] = process.argv
  const child = fork(file, [], { execArgv: [], stdio: ['ignore', 'inherit', 'ignore', 'ipc'] })
  child.once('message', () => {
    child.send({ map: pipe, code: null, out: pipe })
    console.log('busy')
  })
  child.send({ map: '/none', code: null, out: pipe })
`

it('does not outlive a server that was killed, however busy it is', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const server = spawn(process.execPath, ['-e', SERVER, PROCESS_FILE, pipe], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(server.stdout, 'data')
  server.kill('SIGKILL')
  // Both have it open: it ends when the second of them has ended.
  expect(await once(server.stdout, 'end')).toEqual([])
})
