import { openOffline } from '../compose.ts'
import { COMMON_OPTIONS } from './command.ts'
import type { Command } from './command.ts'

export const setup: Command = {
  summary:
    'Creates what is missing of account, organisation, project and token, and prints how to use them. Safe beside a running server, as often as you like.',
  usage:
    'setup --email EMAIL --password PASSWORD --organization SLUG --project SLUG [--adopt-dsn DSN] [--platform NAME] [--json]',
  options: {
    ...COMMON_OPTIONS,
    port: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
    organization: { type: 'string' },
    project: { type: 'string' },
    platform: { type: 'string' },
    'adopt-dsn': { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async ({ config, text, flag, out, err }) => {
    const email = text('email')
    const password = text('password')
    const organizationSlug = text('organization')
    const projectSlug = text('project')
    if (email === undefined || password === undefined || organizationSlug === undefined || projectSlug === undefined) {
      err(
        `firsthand: setup needs --email, --password, --organization and --project.\n\nUsage: firsthand ${setup.usage}`,
      )
      return 2
    }
    const offline = await openOffline(config, err)
    try {
      const url = offline.publicUrl
      const result = await offline.accounts.setup.ensure({
        email,
        password,
        organizationSlug,
        projectSlug,
        adoptDsn: text('adopt-dsn'),
        platform: text('platform'),
        publicUrl: url,
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
