import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { inject } from 'vitest'
import { noteProcess } from '../../tools/harness/noted-processes.ts'
import { type Account, type RunningServer, startServer } from '../../tools/harness/server.ts'
import { setUpAnother } from './account.ts'
import { launchBrowser } from './browser.ts'

/**
 * What the files of one worker share: one server and one browser. Starting them takes longer than many a file. The files
 * of a worker run one after the other, so a page that is open belongs to the file that runs.
 */

export interface Person {
  readonly email: string
  readonly password: string
}

/** A server on which this file has an organisation, a project, an owner and a token of its own. */
export interface SharedServer {
  readonly port: number
  readonly dataDir: string
  readonly account: Account
  readonly owner: Person
}

const PASSWORD = 'correct horse battery'

let running: Promise<RunningServer> | null = null

const startShared = async (): Promise<RunningServer> => {
  const folder = inject('sharedFolder')
  const dataDir = mkdtempSync(join(folder, 'server-'))
  // Sites of tests are on this machine; nothing is fetched from them unless a project asks for it.
  const server = await startServer({ dataDir, setUp: false, environment: { FIRSTHAND_REACHABLE_RANGES: '127.0.0.1' } })
  noteProcess(folder, server.process.pid ?? 0)
  return server
}

/** @param organization a slug that no other file uses; the project is called `shop` */
export const joinServer = async (organization: string): Promise<SharedServer> => {
  // One that has died fails the file that killed it, and no other.
  if (running === null || (await running).process.exitCode !== null) running = startShared()
  const { port, dataDir } = await running
  const owner = { email: `ann@${organization}.example.com`, password: PASSWORD }
  return {
    port,
    dataDir,
    owner,
    account: await setUpAnother({ port, dataDir }, { ...owner, organization, project: 'shop' }),
  }
}

let browser: Promise<Browser> | null = null

/** Give it back with `closePages`. */
export const joinBrowser = async (): Promise<Browser> => {
  if (browser === null || !(await browser).isConnected()) browser = launchBrowser()
  return browser
}

/** Closes what this file left open: a page goes on working, and would slow down the next file. */
export const closePages = async (shared: Browser): Promise<void> => {
  await Promise.all(shared.contexts().map((context) => context.close()))
}
