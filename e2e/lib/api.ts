import type { RunningServer } from '../../tools/harness/server.ts'
import { until } from './until.ts'

export interface IssueJson {
  readonly id: string
  readonly shortId: string
  readonly title: string
  readonly culprit: string
  readonly count: string
  readonly level: string
  readonly status: string
  readonly metadata: Readonly<Record<string, string>>
}

export interface EventJson {
  readonly eventID: string
  readonly title: string
  readonly culprit: string
  readonly platform: string
  readonly release: { readonly version: string } | null
  readonly tags: readonly { readonly key: string; readonly value: string }[]
  readonly user: Readonly<Record<string, unknown>> | null
  readonly contexts: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly entries: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[]
}

export interface ReceiptJson {
  readonly itemType: string
  readonly outcome: string
  readonly reason: string
  readonly sdk: string
  readonly quantity: number
}

/** The read API as a program uses it: with the token of `firsthand setup`. */
export const apiOf = (server: Pick<RunningServer, 'port' | 'account'>) => {
  const { organization, token } = server.account
  const base = `http://127.0.0.1:${server.port}/api/0`
  const ask = (path: string): Promise<Response> =>
    fetch(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const read = async <Body>(answer: Response): Promise<Body> => {
    if (!answer.ok) throw new Error(`GET ${answer.url}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Body
  }
  const get = async <Body>(path: string): Promise<Body> => read(await ask(path))
  return {
    get,
    issues: (query = ''): Promise<IssueJson[]> =>
      get(`/organizations/${organization}/issues/?query=${encodeURIComponent(query)}`),
    /** How many issues match, as the console counts them. */
    hits: async (query: string): Promise<number> => {
      const path = `/organizations/${organization}/issues/?query=${encodeURIComponent(query)}&statsPeriod=90d&limit=1`
      const answer = await ask(path)
      await read(answer)
      return Number(answer.headers.get('x-hits'))
    },
    /** Waits for an issue whose title contains the text. */
    issue: (title: string): Promise<IssueJson> =>
      until(`an issue titled "${title}"`, async () => {
        const issues = await get<IssueJson[]>(`/organizations/${organization}/issues/?query=&limit=100`)
        return issues.find((issue) => issue.title.includes(title)) ?? null
      }),
    /**
     * Waits for it: an issue is there a moment before its event can be read.
     *
     * @param title is in its title; where other events have the same stack, and so the same issue
     */
    latestEvent: (issueId: string, title = ''): Promise<EventJson> =>
      until(`the latest event of issue ${issueId} ${title}`, async () => {
        const answer = await ask(`/organizations/${organization}/issues/${issueId}/events/latest/`)
        if (answer.status === 404) return null
        const event = await read<EventJson>(answer)
        return event.title.includes(title) ? event : null
      }),
    receipts: (): Promise<{ totals: ReceiptJson[] }> => get(`/organizations/${organization}/receipts/?statsPeriod=1h`),
  }
}
