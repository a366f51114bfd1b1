import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder, removeFolder } from '../lib/firsthand.ts'
import { post } from '../lib/send.ts'
import { inScene } from './scene.ts'
import type { Fault } from './scene.ts'

/** A clock that leaps while the server runs, stays there over a restart, and comes back. */

const DAY_MS = 86_400_000
const PRELOAD = join(import.meta.dirname, 'shifted-clock.mjs')
const LONGEST_RETRY_SECONDS = 3600

const clockFault =
  (name: string, shiftMs: number): Fault =>
  async () => {
    const folder = freshFolder()
    const file = join(folder, 'shift')
    writeFileSync(file, '0')
    try {
      return await inScene(
        async (scene) => {
          await scene.load(150)
          writeFileSync(file, String(shiftMs))
          await scene.load(150)
          const path = `/api/${scene.account.projectId}/envelope/?sentry_key=${new URL(scene.account.dsn).username}`
          const answer = await post(scene.server.port, path, 'no envelope')
          const retry = Number(answer.headers['retry-after'] ?? 0)
          if (retry > LONGEST_RETRY_SECONDS) scene.wrong.push(`Retry-After: ${retry}`)
          const during = await scene.status()
          await scene.stop()
          await scene.restart()
          await scene.load(50)
          writeFileSync(file, '0')
          const seconds = await scene.secondsUntilWell()
          await scene.settle()
          if (scene.sent.refused.size > 0) scene.wrong.push(`refused: ${JSON.stringify([...scene.sent.refused])}`)
          return scene.row(`the clock leaps ${name}, and back`, during === '' ? '(nothing is wrong)' : during, seconds)
        },
        { environment: { NODE_OPTIONS: `--import=${PRELOAD}`, TEST_CLOCK_FILE: file } },
      )
    } finally {
      removeFolder(folder)
    }
  }

export const clockFaults: readonly Fault[] = [
  clockFault('a day back', -DAY_MS),
  clockFault('a day ahead', DAY_MS),
  clockFault('a year back', -365 * DAY_MS),
  clockFault('a year ahead', 365 * DAY_MS),
]
