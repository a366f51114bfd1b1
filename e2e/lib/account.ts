import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContextOptions, request } from 'playwright-core'
import { type Account, OWNER, type RunningServer } from '../../tools/harness/server.ts'

/** What a browser needs to be signed in: given to `openPage`. */
export type SignedIn = Pick<BrowserContextOptions, 'storageState'>

export const originOf = (server: Pick<RunningServer, 'port'>): string => `http://127.0.0.1:${server.port}`

/** What the list of sessions makes a browser of. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'

/** Signs in once; pages that are opened with it start signed in. The form has flows of its own. */
export const signIn = async (
  server: Pick<RunningServer, 'port'> & { readonly owner?: typeof OWNER },
  { email, password }: { readonly email: string; readonly password: string } = server.owner ?? OWNER,
): Promise<SignedIn> => {
  const origin = originOf(server)
  const client = await request.newContext({ userAgent: USER_AGENT })
  const answer = await client.post(`${origin}/api/0/auth/login/`, { data: { email, password }, headers: { origin } })
  if (!answer.ok()) throw new Error(`${email} may not sign in: ${answer.status()} ${await answer.text()}`)
  const storageState = await client.storageState()
  await client.dispose()
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
