import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { messageOf } from '../../apps/server/src/lib/error-text.ts'
import { LIMITS } from '../../apps/server/src/ingest/limits.ts'
import { until } from '../lib/until.ts'
import { freshFolder, health, removeFolder, setUp, startFirsthand, statusOf } from './lib/firsthand.ts'
import type { Firsthand } from './lib/firsthand.ts'
import { createLedger, makeSent, sendOne, startLoad } from './lib/load.ts'
import { post } from './lib/send.ts'
import { readStored, waitForEvent } from './lib/stores.ts'
import { judge } from './lib/verdict.ts'

const MEBIBYTE = 2 ** 20
const VOLUME_BYTES = LIMITS.DISK_RESERVE_BYTES + 128 * MEBIBYTE

const folder = freshFolder()

/** A volume of its own that is really full when it is full; null with the reason when this machine does not allow it. */
const mountVolume = (): string | null => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a small volume takes root on Linux'
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${VOLUME_BYTES}`, 'tmpfs', folder], { stdio: 'pipe' })
    return null
  } catch (error) {
    return `a tmpfs cannot be mounted here (${messageOf(error).trim()})`
  }
}
const obstacle = mountVolume()

/** Writes the same bytes until no more than `left` is free. */
const fill = (file: number, bytes: Buffer, left: number): void => {
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(folder)
      if (bavail * bsize - left < bytes.length) return
      writeSync(file, bytes)
    }
  } catch (error) {
    // Others write to this volume as well.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

describe('a full disk', () => {
  let server: Firsthand | null = null
  afterAll(async () => {
    await server?.killAll()
    if (obstacle === null) execFileSync('umount', ['-l', folder])
    removeFolder(folder)
  })

  it('is refused with 503 and told, and all goes on by itself when there is room; nothing acknowledged is lost', async ({
    skip,
  }) => {
    if (obstacle !== null) skip(obstacle)
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const ballast = join(folder, 'ballast')
    const takeAllBut = (bytes: number): void => {
      const file = openSync(ballast, 'w')
      try {
        for (let step = MEBIBYTE; step >= 4096; step /= 2) fill(file, Buffer.alloc(step), bytes)
      } finally {
        closeSync(file)
      }
    }
    // By default an organisation may send a part of the volume in a day. This volume is so small that its quota would
    // refuse what only the disk is to refuse.
    const running = await startFirsthand({ dataDir, environment: { FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: '0' } })
    server = running
    const { port } = running
    const account = await setUp(dataDir, port)
    const path = `/api/${account.projectId}/envelope/?sentry_key=${new URL(account.dsn).username}`
    const sent = createLedger()
    let index = 0
    const load = startLoad(port, 4, sent, () => makeSent(account, index++))

    // Down to the last byte, at once: writes fail before anybody has looked at the free space, each time other ones, and the
    // engine does not tell of its own. Then less than the reserve.
    for (const left of [0, 0, 0, 0, LIMITS.DISK_RESERVE_BYTES / 2]) {
      const answered = load.answered()
      await until('answers', () => Promise.resolve(load.answered() > answered + 50 ? true : null))
      takeAllBut(left)
      await until('a refusal', async () => {
        const answer = await post(port, path, `{}\n{"type":"event"}\n{"message":"full?"}`)
        if (answer.status !== 503) return null
        expect(JSON.parse(answer.text)).toMatchObject({ detail: expect.stringMatching(/disk|store|storage/i) })
        expect(answer.headers['retry-after']).toMatch(/^\d+$/)
        return true
      })
      const status = await statusOf(port, account)
      expect(status.status).toBe('refusing')
      expect(status.problems).toContainEqual(
        expect.objectContaining({
          id: 'disk_full',
          message: expect.stringMatching(/disk is full.*503.*Free some space/),
        }),
      )
      expect([200, 503]).toContain(await health(port))
      expect(running.stderr()).toContain('nothing is accepted (503) because the disk is full')
      rmSync(ballast)
      let seen = ''
      await until(
        () => `the good state: ${seen}; of ${load.answered()} answers; it wrote ${running.stderr().slice(-4000)}`,
        async () => {
          const now = await statusOf(port, account)
          seen = JSON.stringify(now)
          return now.status === 'ok' ? true : null
        },
        120_000,
      )
      // The engine may be found to have written something in vain, and be started again, a moment after all was well.
      await until('health', async () => ((await health(port)) === 200 ? true : null))
    }
    await load.stop()
    expect([...sent.refused.keys()].filter((status) => status !== 503)).toEqual([])
    const last = makeSent(account, index++, 'event')
    expect(await sendOne(port, last, sent)).toBe(200)
    await waitForEvent(running, last.id)
    // The probes above carry ids of the server's own, so only losses and doubles can be judged.
    const { lost, doubled } = judge(sent, await readStored(running))
    expect({ lost, doubled }).toEqual({ lost: [], doubled: [] })
    expect((await running.end('SIGTERM')).code).toBe(0)
  })
})
