import { openOffline } from '../compose.ts'
import { COMMON_OPTIONS } from './command.ts'
import type { Command } from './command.ts'

export const user: Command = {
  summary:
    'Gives somebody who cannot log in a new password: asks for it on a terminal, else makes one and prints it. Their sessions end.',
  usage: 'user reset-password EMAIL [--json]',
  options: { ...COMMON_OPTIONS, json: { type: 'boolean' } },
  positionals: 2,
  run: async ({ config, flag, positionals, askSecret, out, err }) => {
    const [action, email] = positionals
    if (action !== 'reset-password' || email === undefined) {
      err(`Usage: firsthand ${user.usage}`)
      return 2
    }
    const offline = await openOffline(config, err)
    try {
      const account = await offline.accounts.signIn.find(email)
      if (account === null) {
        err(`firsthand: nobody has an account with the e-mail address "${email}".`)
        return 1
      }
      const typed = await askSecret(`New password for ${account.email} (Enter alone: one is made): `)
      if (typed !== null && typed !== '' && (await askSecret('The same once more: ')) !== typed) {
        err('firsthand: these were two different passwords. Nothing was changed.')
        return 1
      }
      const reset = await offline.accounts.signIn.resetPassword(account.id, typed === '' ? null : typed)
      if (!reset.ok) {
        err(`firsthand: ${reset.error.detail} Nothing was changed.`)
        return 1
      }
      const { password } = reset.value
      if (flag('json')) out(JSON.stringify({ email: account.email, ...(typed ? {} : { password }) }))
      else if (!typed) out(password)
      err(
        typed
          ? 'The password is changed, and every session is ended.'
          : `This is the new password of ${account.email}. It is shown once; every session is ended. After logging in, choose another one under Account.`,
      )
      return 0
    } finally {
      await offline.close()
    }
  },
}
