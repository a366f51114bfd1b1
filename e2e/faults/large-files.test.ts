import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { request } from 'node:http'
import type { ClientRequest } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { messageOf } from '../../apps/server/src/lib/error-text.ts'
import { LIMITS } from '../../apps/server/src/ingest/limits.ts'
import type { Account } from '../../tools/harness/server.ts'
import { residentBytes } from '../../tools/harness/server.ts'
import { eventually } from '../lib/eventually.ts'
import { until } from '../lib/until.ts'
import { freshFolder, removeFolder, setUp, startFirsthand } from './lib/firsthand.ts'
import type { Firsthand } from './lib/firsthand.ts'
import { answerOf, post, type Answer } from './lib/send.ts'
import { readStored, telemetryRows, waitForEvent } from './lib/stores.ts'

const MB = 1_000_000
/** The volume of a test machine may be small; what is tested here is not its quota. */
const ENVIRONMENT = { FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: '0' }

/** Half of it packs well, so that storing it takes a while. */
const FILLING = Buffer.concat([randomBytes(15 * MB), Buffer.alloc(15 * MB)])

/** An error with a large file. */
interface Upload {
  readonly eventId: string
  readonly sha256: string
  readonly body: Buffer
}

const makeUpload = (filling: Buffer = FILLING): Upload => {
  const eventId = randomBytes(16).toString('hex')
  const file = Buffer.concat([Buffer.from(eventId), filling])
  const lines = [
    { event_id: eventId },
    { type: 'event' },
    { event_id: eventId, message: 'out of memory' },
    { type: 'attachment', filename: 'heap.bin', length: file.byteLength },
  ].map((line) => JSON.stringify(line))
  return {
    eventId,
    sha256: createHash('sha256').update(file).digest('hex'),
    body: Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), file, Buffer.from('\n')]),
  }
}

let running: Firsthand | null = null
let folder: string | null = null
const start = async (dataDir: string): Promise<Firsthand> => {
  running = await startFirsthand({ dataDir, environment: ENVIRONMENT, ...(running !== null && { port: running.port }) })
  return running
}
afterEach(async () => {
  await running?.killAll()
  running = null
  if (folder !== null) removeFolder(folder)
  folder = null
})

const pathOf = ({ dsn, projectId }: Account): string =>
  `/api/${projectId}/envelope/?sentry_key=${new URL(dsn).username}`
const send = (server: Firsthand, account: Account, upload: Upload): Promise<Answer> =>
  post(server.port, pathOf(account), upload.body)

/** Sends the beginning of it, and no more for now. */
const begin = (server: Firsthand, account: Account, { body }: Upload, bytes: number): ClientRequest => {
  const sending = request({
    host: '127.0.0.1',
    port: server.port,
    path: pathOf(account),
    method: 'POST',
    agent: false,
    headers: { 'content-length': String(body.byteLength) },
  })
  sending.on('error', () => undefined)
  sending.write(body.subarray(0, bytes))
  return sending
}

const filesIn = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : []
const stagedIn = (dataDir: string): string[] => filesIn(join(dataDir, 'spool', 'staged'))
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const downloadedSha256 = async (server: Firsthand, account: Account, eventId: string): Promise<string> => {
  const base = `http://127.0.0.1:${server.port}/api/0/projects/acme/shop/events/${eventId}/attachments/`
  const headers = { authorization: `Bearer ${account.token}` }
  const [file] = (await (await fetch(base, { headers })).json()) as { id: string }[]
  const sum = createHash('sha256')
  for await (const piece of (await fetch(`${base}${file?.id}/?download=1`, { headers })).body ?? []) sum.update(piece)
  return sum.digest('hex')
}

describe('large files', () => {
  const ROUNDS = 2

  it(`kill -9 while they are received, after they are acknowledged, while they are stored, ${ROUNDS} times each: each is there once, and nothing else is left`, async () => {
    folder = freshFolder()
    const dataDir = folder
    let server = await start(dataDir)
    const account = await setUp(dataDir, server.port)
    const acknowledged: Upload[] = []
    let again: Upload[] = []
    const sendAll = async (uploads: readonly Upload[]): Promise<void> => {
      const answers = await Promise.all(uploads.map((upload) => send(server, account, upload)))
      expect(answers.map(({ status }) => status)).toEqual(uploads.map(() => 200))
      acknowledged.push(...uploads)
    }
    const kill: Readonly<Record<string, () => Promise<void>>> = {
      receiving: async () => {
        const uploads = [makeUpload(), makeUpload()]
        for (const upload of uploads) begin(server, account, upload, 20 * MB)
        await eventually(() => stagedIn(dataDir).filter((path) => sizeOf(path) > 10 * MB).length).toBe(2)
        await server.killAll()
        again = uploads
      },
      acknowledged: async () => {
        await sendAll([...again, makeUpload()])
        await server.killAll()
        again = []
      },
      storing: async () => {
        const known = filesIn(join(dataDir, 'blobs')).length
        await sendAll([makeUpload(), makeUpload()])
        await until('a blob on its way', () =>
          Promise.resolve(filesIn(join(dataDir, 'blobs')).length > known ? true : null),
        )
        await server.killAll()
      },
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const stage of Object.values(kill)) {
        await stage()
        server = await start(dataDir)
      }
    }
    const last = makeUpload()
    await sendAll([last])
    await waitForEvent(server, last.eventId)
    await eventually(() => stagedIn(dataDir)).toEqual([])
    expect(acknowledged).toHaveLength(ROUNDS * 5 + 1)
    const { kept, ledger, telemetry, wrongCounters } = await readStored(server)
    expect(wrongCounters).toEqual([])
    for (const { eventId, sha256 } of acknowledged) {
      const counts = [telemetry.get(eventId), ledger.get(eventId), kept.get(`attachment:${eventId}`)]
      expect([eventId, ...counts]).toEqual([eventId, 1, 1, 1])
      expect(await downloadedSha256(server, account, eventId)).toBe(sha256)
    }
    const blobs = filesIn(join(dataDir, 'blobs')).map((path) => path.slice(path.lastIndexOf('/') + 1))
    expect(blobs.toSorted()).toEqual(acknowledged.map(({ sha256 }) => sha256).toSorted())
  }, 600_000)

  it('one that is gone before it is stored ends with a reason; its event is kept', async () => {
    folder = freshFolder()
    const dataDir = folder
    let server = await start(dataDir)
    const account = await setUp(dataDir, server.port)
    const lost = makeUpload()
    // The digest is kept busy by others, so that this one still waits.
    const others = [makeUpload(), makeUpload(), makeUpload()]
    await Promise.all(others.map((upload) => send(server, account, upload)))
    expect((await send(server, account, lost)).status).toBe(200)
    await server.killAll()
    const left = stagedIn(dataDir)
    for (const path of left) rmSync(path)
    expect(left.length).toBeGreaterThan(0)
    server = await start(dataDir)
    await waitForEvent(server, lost.eventId)
    await eventually(async () => {
      const rows = await telemetryRows<{ n: string }>(
        server,
        `SELECT sum(quantity) AS n FROM outcomes WHERE item_type = 'attachment' AND reason = 'damaged_on_disk'`,
      )
      return Number(rows[0]?.n ?? 0)
    }).toBeGreaterThan(0)
    expect(server.stderr()).toContain('a file is missing or damaged')
    expect((await readStored(server)).telemetry.size).toBe(others.length + 1)
  }, 200_000)

  it('three of 100 MB side by side, sent and downloaded, do not go through memory', async () => {
    folder = freshFolder()
    const server = await start(folder)
    const account = await setUp(folder, server.port)
    const warm = makeUpload()
    expect((await send(server, account, warm)).status).toBe(200)
    await waitForEvent(server, warm.eventId)
    await downloadedSha256(server, account, warm.eventId)
    const pid = server.process.pid ?? 0
    const before = residentBytes(pid)
    let most = before
    const timer = setInterval(() => (most = Math.max(most, residentBytes(pid))), 20)
    const filling = Buffer.concat([randomBytes(50 * MB), Buffer.alloc(49 * MB)])
    const uploads = [makeUpload(filling), makeUpload(filling), makeUpload(filling)]
    try {
      const answers = await Promise.all(uploads.map((upload) => send(server, account, upload)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      for (const { eventId } of uploads) await waitForEvent(server, eventId)
      const sums = await Promise.all(uploads.map(({ eventId }) => downloadedSha256(server, account, eventId)))
      expect(sums).toEqual(uploads.map(({ sha256 }) => sha256))
    } finally {
      clearInterval(timer)
    }
    process.stdout.write(`Memory: ${Math.round(before / MB)} MB before, ${Math.round(most / MB)} MB at most\n`)
    // Each of them alone is 99 MB, and was held twice where bodies are joined.
    expect(most - before).toBeLessThan(200 * MB)
  }, 200_000)
})

describe('a disk that becomes full while a large file is received', () => {
  const volume = freshFolder()
  const size = LIMITS.DISK_RESERVE_BYTES + 200 * MB
  const mountVolume = (): string | null => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a small volume takes root on Linux'
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', volume], { stdio: 'pipe' })
      return null
    } catch (error) {
      return `a tmpfs cannot be mounted here (${messageOf(error).trim()})`
    }
  }
  const obstacle = mountVolume()
  afterEach(async () => {
    await running?.killAll()
    running = null
    if (obstacle === null) execFileSync('umount', ['-l', volume])
    removeFolder(volume)
  })

  it('is told with 503 and a sentence, and leaves nothing', async ({ skip }) => {
    if (obstacle !== null) skip(obstacle)
    const dataDir = join(volume, 'data')
    const server = await start(dataDir)
    const account = await setUp(dataDir, server.port)
    const upload = makeUpload(randomBytes(90 * MB))
    const sending = begin(server, account, upload, 30 * MB)
    const answered = answerOf(sending)
    await eventually(() => stagedIn(dataDir).map(sizeOf)).toEqual([expect.any(Number)])
    await eventually(() => sizeOf(stagedIn(dataDir)[0] ?? '')).toBeGreaterThan(20 * MB)
    const ballast = openSync(join(volume, 'ballast'), 'w')
    const piece = Buffer.alloc(MB)
    for (;;) {
      const { bavail, bsize } = statfsSync(volume)
      if (bavail * bsize < 20 * MB) break
      writeSync(ballast, piece)
    }
    closeSync(ballast)
    sending.end(upload.body.subarray(30 * MB))
    const { status, text } = await answered
    expect([status, text]).toEqual([503, expect.stringContaining('its disk is full')])
    expect(JSON.parse(text)).toMatchObject({ detail: expect.stringContaining('its disk is full') })
    expect(stagedIn(dataDir)).toEqual([])
    rmSync(join(volume, 'ballast'))
    await until('the next to be taken', async () =>
      (await send(server, account, makeUpload(randomBytes(10 * MB)))).status === 200 ? true : null,
    )
  }, 200_000)
})
