import type { PlatformDsn } from './platforms.ts'

/** An event that shows that everything between a browser and the issue stream works, without an SDK. */
const TYPE = 'TestEvent'
const VALUE = 'Sent from the set-up page: everything works'

/** Whether an issue is that event and not something the application sent. */
export function isTestIssue({ title }: { readonly title: string }): boolean {
  return title === `${TYPE}: ${VALUE}`
}

/**
 * One envelope with one error (protocol.md 1.1).
 *
 * @param nowMs since the epoch
 * @param eventId 32 hex characters
 */
export function testEnvelope(nowMs: number, eventId: string): string {
  const event = {
    event_id: eventId,
    timestamp: nowMs / 1000,
    platform: 'javascript',
    level: 'info',
    environment: 'test',
    tags: { sample: 'yes' },
    exception: {
      values: [
        {
          type: TYPE,
          value: VALUE,
          mechanism: { type: 'generic', handled: true },
        },
      ],
    },
  }
  return [{ event_id: eventId }, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n')
}

/**
 * Sends one to the server that this page came from, by the road of every other event.
 *
 * @throws Error with the server's reason when it is refused
 */
export async function sendTestEvent({ publicKey, projectId }: PlatformDsn): Promise<void> {
  const path = `/api/${projectId}/envelope/?sentry_key=${publicKey}&sentry_version=7`
  const answer = await fetch(path, {
    method: 'POST',
    body: testEnvelope(Date.now(), crypto.randomUUID().replaceAll('-', '')),
  })
  if (answer.ok) return
  const body = (await answer.json().catch(() => null)) as { readonly detail?: unknown } | null
  throw new Error(typeof body?.detail === 'string' ? body.detail : `The server answered ${answer.status}.`)
}
