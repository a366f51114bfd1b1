import { SCOPES } from '../accounts/index.ts'
import type { Scope } from '../accounts/index.ts'
import { openOffline } from '../compose.ts'
import { COMMON_OPTIONS } from './command.ts'
import type { Command } from './command.ts'

const isScope = (word: string): word is Scope => SCOPES.some((scope) => scope === word)

export const token: Command = {
  summary: 'Creates an API token of an organisation and prints it; it is shown once.',
  usage: 'token create --organization SLUG [--name NAME] [--scopes org:read,event:read,…] [--json]',
  options: {
    ...COMMON_OPTIONS,
    port: { type: 'string' },
    organization: { type: 'string' },
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
      .map((scope) => scope.trim()) ?? [...SCOPES]
    const unknown = wanted.filter((scope) => !isScope(scope))
    if (unknown.length > 0) {
      err(`firsthand: there is no scope ${unknown.join(', ')}. The scopes are: ${SCOPES.join(' ')}`)
      return 2
    }
    const offline = await openOffline(config, err)
    try {
      const made = await offline.createToken({
        organizationSlug: slug,
        name: text('name') ?? 'cli',
        scopes: wanted.filter(isScope),
      })
      if (made === null) {
        err(`firsthand: there is no organisation "${slug}".`)
        return 1
      }
      out(flag('json') ? JSON.stringify({ organization: slug, token: made }) : made)
      return 0
    } finally {
      await offline.close()
    }
  },
}
