import { SCOPES } from '../accounts/index.ts'
import type { Scope } from '../accounts/index.ts'
import { openOffline } from '../compose.ts'
import { COMMON_OPTIONS } from './command.ts'
import type { Command } from './command.ts'

const isScope = (word: string): word is Scope => SCOPES.some((scope) => scope === word)

export const token: Command = {
  summary:
    'Creates an API token of an organisation and prints it; it is shown once. It belongs to the oldest owner, or to the member named by --email.',
  usage: 'token create --organization SLUG [--email MAKER] [--name NAME] [--scopes org:read,event:read,…] [--json]',
  options: {
    ...COMMON_OPTIONS,
    port: { type: 'string' },
    organization: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string' },
    scopes: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: 1,
  run: async ({ config, text, flag, positionals, out, err }) => {
    const slug = text('organization')
    if (positionals[0] !== 'create' || slug === undefined) {
      err(`Usage: firsthand ${token.usage}`)
      return 2
    }
    const wanted = text('scopes')
      ?.split(',')
      .map((scope) => scope.trim())
    const unknown = wanted?.filter((scope) => !isScope(scope)) ?? []
    if (unknown.length > 0) {
      err(`firsthand: there is no scope ${unknown.join(', ')}. The scopes are: ${SCOPES.join(' ')}`)
      return 2
    }
    const offline = await openOffline(config, err)
    try {
      const email = text('email') ?? null
      const made = await offline.createToken({
        organizationSlug: slug,
        email,
        name: text('name') ?? 'cli',
        scopes: wanted?.filter(isScope) ?? null,
      })
      if (made === null) {
        const who = email === null ? '' : `, or nobody with the e-mail address "${email}" is in it`
        err(`firsthand: there is no organisation "${slug}"${who}.`)
        return 1
      }
      if (!made.ok) {
        err(`firsthand: ${made.error.detail}`)
        return 1
      }
      const { token, maker } = made.value
      out(flag('json') ? JSON.stringify({ organization: slug, token, createdBy: maker }) : token)
      err(`This token belongs to ${maker}: it does no more than they may do, and ends when they leave.`)
      return 0
    } finally {
      await offline.close()
    }
  },
}
