import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openOffline } from '../compose.ts'
import { readConfig } from '../config.ts'
import { temporaryFolder } from '../storage/conformance/engines.ts'
import type { Command } from './command.ts'
import { setupLink } from './setup-link.ts'
import { trustClock } from './trust-clock.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const run = async (command: Command, dataDir: string) => {
  const lines: { out: string[]; err: string[] } = { out: [], err: [] }
  const code = await command.run({
    config: readConfig({ FIRSTHAND_DATA_DIR: dataDir }),
    text: () => undefined,
    flag: () => false,
    positionals: [],
    out: (line) => lines.out.push(line),
    err: (line) => lines.err.push(line),
    environment: () => undefined,
    readInput: () => Promise.resolve(''),
    askSecret: () => Promise.resolve(null),
    onStop: () => undefined,
  })
  return { code, ...lines }
}

it.each([
  ['trust-clock', trustClock],
  ['setup-link', setupLink],
])('%s of a folder that no server used says so, and makes nothing', async (_, command) => {
  const dataDir = join(folder.path, 'mistyped')
  expect(await run(command, dataDir)).toEqual({
    code: 1,
    out: [],
    err: [expect.stringContaining(`there is nothing in ${dataDir} yet`)],
  })
  expect(existsSync(dataDir)).toBe(false)
})

it('trust-clock says what time is trusted', async () => {
  await (await openOffline(readConfig({ FIRSTHAND_DATA_DIR: folder.path }), () => undefined)).close()
  expect(await run(trustClock, folder.path)).toMatchObject({
    code: 0,
    out: [
      expect.stringMatching(
        /^The clock is trusted: \d+ \w+ \d{4}, \d\d:\d\d UTC\. Data past its retention will be deleted again\.$/,
      ),
    ],
  })
})
