import { OWNER, type RunningServer } from '../../tools/harness/server.ts'
import { acceptInvitation, askJson, logIn } from '../security/lib/session.ts'
import type { Person } from './shared.ts'

/** The owner of a server's organisation, and a colleague who was invited to it: each calls the API in their own name. */

export type CallAs = <Body>(method: string, path: string, json?: unknown) => Promise<Body>

const PASSWORD = 'a long and secret phrase'

export const withColleague = async (
  server: Pick<RunningServer, 'port' | 'account'> & { readonly owner?: Person },
  name: string,
): Promise<{ readonly owner: CallAs; readonly colleague: CallAs; readonly person: Person }> => {
  const base = `http://127.0.0.1:${server.port}`
  const { organization } = server.account
  const as =
    (headers: Readonly<Record<string, string>>): CallAs =>
    (method, path, json) =>
      askJson(`${base}/api/0${path}`, { method, headers, ...(json === undefined ? {} : { json }) })
  const owner = as(await logIn(base, server.owner ?? OWNER))
  const email = `${name.toLowerCase().replace(' ', '.')}@${organization}.example.com`
  const { inviteLink } = await owner<{ inviteLink: string }>('POST', `/organizations/${organization}/members/`, {
    email,
    role: 'member',
  })
  const colleague = as(await acceptInvitation(base, inviteLink, { name, password: PASSWORD }))
  return { owner, colleague, person: { email, password: PASSWORD } }
}
