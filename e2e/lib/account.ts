import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { type Account, OWNER, type RunningServer } from '../../tools/harness/server.ts'
import { openPage } from './browser.ts'

/** What a browser needs to be signed in: given to `openPage`. */
export type SignedIn = Pick<BrowserContextOptions, 'storageState'>

export const originOf = (server: Pick<RunningServer, 'port'>): string => `http://127.0.0.1:${server.port}`

/** Signs in through the form once; further pages start signed in. */
export const signIn = async (
  browser: Browser,
  server: Pick<RunningServer, 'port'> & { readonly owner?: typeof OWNER },
  person: { readonly email: string; readonly password: string } = server.owner ?? OWNER,
): Promise<SignedIn> => {
  const { page, close } = await openPage(browser)
  await page.goto(`${originOf(server)}/login`)
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  const storageState = await page.context().storageState()
  await close()
  return { storageState }
}

const main = join(import.meta.dirname, '..', '..', 'apps', 'server', 'dist', 'main.js')

/** `firsthand setup` beside the running server: another owner with an organisation and a project of their own. */
export const setUpAnother = async (
  server: Pick<RunningServer, 'port' | 'dataDir'>,
  wanted: {
    readonly email: string
    readonly password: string
    readonly organization: string
    readonly project: string
  },
): Promise<Account> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      main,
      'setup',
      ...Object.entries(wanted).flatMap(([name, value]) => [`--${name}`, value]),
      '--json',
    ],
    {
      env: {
        ...process.env,
        FIRSTHAND_PORT: String(server.port),
        FIRSTHAND_HOST: '127.0.0.1',
        FIRSTHAND_DATA_DIR: server.dataDir,
      },
      timeout: 60_000,
    },
  )
  return JSON.parse(stdout) as Account
}
