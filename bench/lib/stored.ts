import type { RunningServer } from '../../tools/harness/server.ts'

/** Events that the API can see: stored in telemetry, and counted by it. */
export const storedEvents = async (server: RunningServer): Promise<number> => {
  const { organization, projectId, token } = server.account
  const url = `http://127.0.0.1:${server.port}/api/0/organizations/${organization}/events/?field=count()&statsPeriod=30d&project=${projectId}`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`counting events: ${answer.status} ${await answer.text()}`)
  const body = (await answer.json()) as { data: { 'count()': number }[] }
  return body.data[0]?.['count()'] ?? 0
}

export const waitForStored = async (server: RunningServer, wanted: number): Promise<void> => {
  const deadline = Date.now() + 600_000
  for (;;) {
    const stored = await storedEvents(server)
    if (stored >= wanted) return
    if (Date.now() > deadline) throw new Error(`only ${stored} of ${wanted} events were searchable after 600 s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
