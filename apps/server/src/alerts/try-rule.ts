import { randomUUID } from 'node:crypto'
import type { AlertAction, Answer, testAlert } from '@firsthand/contract'
import type { Message, Trial } from '../channels/index.ts'
import type { Ledger } from '../storage/index.ts'
import type { Outlets } from './outlets.ts'
import type { Receivers } from './receivers.ts'
import type { AlertRule } from './rule.ts'

type Tried = Answer<typeof testAlert>['results'][number]

interface By {
  readonly name: string
  readonly email: string
}

export interface TryParts {
  readonly ledger: Ledger
  readonly tryChannel: Trial
  readonly receivers: Receivers
  readonly notify: Outlets['notify']
  readonly now: () => number
}

/** What is sent says that it is a test, and of which rule. */
const testMessage = (rule: AlertRule, organization: string, by: By): Message => ({
  kind: 'test',
  level: 'info',
  headline: `Test of the alert "${rule.draft.name}"`,
  blocks: [
    {
      kind: 'text',
      text: `${by.name === '' ? by.email : by.name} sent this to see whether the alert reaches you. Nothing has happened, and nothing has to be done.`,
    },
  ],
  actions: [{ label: 'Open the alert', path: `/organizations/${organization}/alerts/${rule.id}` }],
  thread: `alert-test:${randomUUID()}`,
  stage: 'single',
  reason: 'Somebody pressed "Send a test".',
})

const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

/** Performs what a rule says as it is saved, and tells what became of each action. It makes no issue, incident or evaluation. */
export const createTryRule =
  ({ ledger, tryChannel, receivers, notify, now }: TryParts) =>
  async (
    rule: AlertRule,
    organization: { readonly id: number; readonly slug: string; readonly name: string },
    by: By,
  ): Promise<Tried[]> => {
    const message = testMessage(rule, organization.slug, by)

    const toChannel = async (id: number): Promise<Omit<Tried, 'action'>> => {
      const tried = await tryChannel(organization, id, by, message)
      if (tried === null) {
        const answer = 'The channel was deleted. Take it out of the alert, or bring it back.'
        return { receiver: 'A deleted channel', isOk: false, status: null, answer }
      }
      const { attempt, isSent, name, sentence } = tried
      return { receiver: name, isOk: isSent, status: attempt.status, answer: attempt.answer ?? sentence }
    }

    const toPeople = async (action: Extract<AlertAction, { kind: 'people' }>): Promise<Omit<Tried, 'action'>> => {
      const at = now()
      const userIds = await receivers.of(action, { organizationId: organization.id, issue: null }, at)
      const receiver = { owners: 'The owners', team: 'A team', member: 'A member' }[action.target]
      if (userIds.length === 0) {
        return { receiver, isOk: false, status: null, answer: 'That is nobody: choose who is told then.' }
      }
      await ledger.transaction(async (transaction) => {
        await notify(
          transaction,
          [
            {
              organizationId: organization.id,
              userIds,
              kind: 'alert',
              issueId: null,
              reportId: null,
              // Whoever tries it wants to see it, too.
              actorId: null,
              key: message.thread,
              cause: message.thread,
              message,
              isHigh: false,
            },
          ],
          at,
        )
      })
      return {
        receiver,
        isOk: true,
        status: null,
        answer: `On its way to ${people(userIds.length)}, as each wants it.`,
      }
    }

    const results: Tried[] = []
    // One after the other, so that somebody whom two of them reach sees them in order.
    for (const [place, action] of rule.draft.actions.entries()) {
      const tried = action.kind === 'channel' ? await toChannel(Number(action.channelId)) : await toPeople(action)
      results.push({ action: place, ...tried })
    }
    return results
  }
