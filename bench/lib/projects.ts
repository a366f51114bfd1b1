import type { Account, RunningServer } from '../../tools/harness/server.ts'
import { randomFrom } from '../events.ts'

/** Who sends things: a project by its key. */
export type Sender = Pick<Account, 'dsn' | 'projectId'>

const call = async <Body>({ port, account }: RunningServer, path: string, body?: unknown): Promise<Body> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/0${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json', connection: 'close' },
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Body
}

/** So many projects, the account's own first. */
export const createProjects = async (server: RunningServer, count: number): Promise<readonly Sender[]> => {
  const { organization } = server.account
  const senders: Sender[] = [server.account]
  while (senders.length < count) {
    const name = `service-${senders.length}`
    const { id, slug } = await call<{ id: string; slug: string }>(server, `/organizations/${organization}/projects/`, {
      name,
      platform: 'node',
    })
    const [key] = await call<{ dsn: { public: string } }[]>(server, `/projects/${organization}/${slug}/keys/`)
    if (key === undefined) throw new Error(`${name} has no key`)
    senders.push({ dsn: key.dsn.public, projectId: id })
  }
  return senders
}

/** Whose turn it is among so many: few send often, and all of them send. */
export const turnsOf = (count: number, seed: number): (() => number) => {
  const random = randomFrom(seed)
  return () => Math.floor(random() ** 2 * count)
}

/** Where a sender's envelopes go. */
export const envelopePath = (sender: Sender | undefined): string => {
  if (sender === undefined) throw new Error('There is no such sender.')
  const { dsn, projectId } = sender
  return `/api/${projectId}/envelope/?sentry_version=7&sentry_key=${new URL(dsn).username}&sentry_client=sentry.javascript.node%2F11.10.0`
}
