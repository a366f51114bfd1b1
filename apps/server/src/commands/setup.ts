import { readFileSync } from 'node:fs'
import { addressOfAdopted } from '../accounts/index.ts'
import { openOffline } from '../compose.ts'
import { COMMON_OPTIONS } from './command.ts'
import type { Command, CommandInput } from './command.ts'

/** Without the line break that editors and `echo` put at the end. */
const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? ''

/** Null when none was given in any way. */
const givenPassword = async ({ text, environment, readInput }: CommandInput): Promise<string | null> => {
  const password = text('password')
  if (password !== undefined) return password === '-' ? firstLine(await readInput()) : password
  const file = text('password-file')
  if (file === undefined) return environment('FIRSTHAND_PASSWORD') ?? null
  try {
    return firstLine(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(`the password cannot be read from ${file} (${code ?? message}). Nothing was changed.`, {
      cause: error,
    })
  }
}

export const setup: Command = {
  summary:
    'Creates what is missing of account, organisation, project and token, and prints how to use them. Safe beside a running server, as often as you like.',
  usage:
    'setup --email EMAIL [--password PASSWORD | --password - | --password-file FILE] --organization SLUG --project SLUG [--adopt-dsn DSN] [--platform NAME] [--json]',
  options: {
    ...COMMON_OPTIONS,
    port: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
    'password-file': { type: 'string' },
    organization: { type: 'string' },
    project: { type: 'string' },
    platform: { type: 'string' },
    'adopt-dsn': { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (input) => {
    const { config, text, flag, out, err } = input
    const email = text('email')
    const organizationSlug = text('organization')
    const projectSlug = text('project')
    if (email === undefined || organizationSlug === undefined || projectSlug === undefined) {
      err(`firsthand: setup needs --email, --organization and --project.\n\nUsage: firsthand ${setup.usage}`)
      return 2
    }
    if (text('password') !== undefined && text('password-file') !== undefined) {
      err(`firsthand: setup takes --password or --password-file, not both.\n\nUsage: firsthand ${setup.usage}`)
      return 2
    }
    const given = await givenPassword(input)
    const offline = await openOffline(config, err)
    try {
      // An existing account keeps its password, so none is asked for.
      const isKnown = (await offline.accounts.signIn.find(email)) !== null
      const password = given ?? (isKnown ? '' : await input.askSecret(`Password for the new account ${email}: `))
      if (password === null) {
        err(
          `firsthand: a new account needs a password. Run setup on a terminal to be asked for it, or give it with --password-file FILE, on standard input (--password -) or in FIRSTHAND_PASSWORD.\n\nUsage: firsthand ${setup.usage}`,
        )
        return 2
      }
      const adopted = offline.isPublicUrlKnown ? null : addressOfAdopted(text('adopt-dsn'))
      const url = adopted ?? offline.publicUrl
      const result = await offline.accounts.setup.ensure({
        email,
        password,
        organizationSlug,
        projectSlug,
        adoptDsn: text('adopt-dsn'),
        platform: text('platform'),
        publicUrl: adopted !== null || offline.isPublicUrlKnown ? url : null,
      })
      if (!result.ok) {
        err(`firsthand: ${result.error.detail}`)
        return 1
      }
      const { organization, project, projectId, publicKey, token } = result.value
      const { protocol, host, pathname } = new URL(url)
      const dsn = `${protocol}//${publicKey}@${host}${pathname.replace(/\/$/, '')}/${projectId}`
      const answer = { url, dsn, organization, project, projectId: String(projectId), token }
      if (flag('json')) out(JSON.stringify(answer))
      else for (const [name, value] of Object.entries(answer)) out(`${name.padEnd(13)}${value}`)
      return 0
    } finally {
      await offline.close()
    }
  },
}
