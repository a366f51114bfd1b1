import { createOccasion } from '../../lib/occasion.ts'
import { createOutgoing } from '../../lib/outgoing.ts'
import type { KnownAnswer } from '../../lib/questions.ts'
import { createQuestions } from '../../lib/questions.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { recordingLogger, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createCallWay } from '../call-way.ts'
import type { ChannelKindName } from '../channel.ts'
import { createChannels } from '../ledger/channels.ts'
import { createOutboxQueue, type OutboxQueue } from '../ledger/outbox-queue.ts'
import { createMailWay } from '../mail-way.ts'
import { enqueueMessages, type Message, type Outgoing, type Receiver } from '../index.ts'
import { createSender } from '../sender.ts'
import type { StoredSubject } from '../stored-subject.ts'
import { createSwitchOff } from '../switch-off.ts'

export const PUBLIC_URL = 'https://firsthand.acme.example'
export const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

export const message = (more: Partial<Message> = {}): Message => ({
  kind: 'new',
  level: 'error',
  headline: 'New: TypeError in checkout',
  blocks: [{ kind: 'text', text: 'Cannot read properties of undefined' }],
  actions: [{ label: 'Open', path: '/organizations/acme/issues/1/' }],
  thread: 'issue:1',
  stage: 'first',
  reason: 'The rule "New issues" tells this channel.',
  ...more,
})

/** Gives the first organisation a member. */
export const addMember = async (
  { ledger, clock }: OpenedLedger,
  { name, email, role }: { readonly name: string; readonly email: string; readonly role: 'owner' | 'admin' | 'member' },
): Promise<number> => {
  const { id } = await ledger.db
    .insertInto('users')
    .values({ email, name, password_hash: '', preferences: '{}', created_at: clock.now(), last_login_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ledger.db
    .insertInto('members')
    .values({
      organization_id: 1,
      user_id: id,
      email,
      role,
      invite_hash: null,
      invite_expires_at: null,
      created_at: clock.now(),
      invited_by: null,
    })
    .execute()
  return id
}

/** An outbox on a ledger with one organisation, whose sender is run by hand. */
export const openOutbox = async (
  opened: OpenedLedger,
  {
    mailer = null,
    known = [],
    stored = { issue: null, event: null },
  }: {
    readonly mailer?: Mailer | null
    readonly known?: readonly KnownAnswer[]
    readonly stored?: StoredSubject
  } = {},
) => {
  const { ledger, clock } = opened
  await seedOrganization(ledger)
  await addMember(opened, { name: 'Ann', email: 'ann@acme.example', role: 'owner' })
  const channels = createChannels({ ledger, key: Buffer.alloc(32, 1) })
  const queue = createOutboxQueue({ ledger })
  const { logger, lines } = recordingLogger()
  const { ask, learn } = createQuestions()
  learn(known)
  const outgoing = createOutgoing({ allowedRanges: ['127.0.0.1'] })
  const switchOff = createSwitchOff({ ledger, channels, logger })
  const makeSender = ({ ledgerQueue = queue }: { readonly ledgerQueue?: OutboxQueue } = {}) =>
    createSender({
      queue: ledgerQueue,
      ways: {
        mail: createMailWay({ ledger, channels, mailer, ask, publicUrl: PUBLIC_URL, now: clock.now }),
        call: createCallWay({
          ledger,
          channels,
          outgoing,
          publicUrl: PUBLIC_URL,
          clock,
          readSubject: () => Promise.resolve(stored),
        }),
      },
      clock,
      logger,
      occasion: createOccasion({ clock, quietMs: 0 }),
      failed: (taken, verdict) => switchOff(taken, verdict, clock.now()),
      changed: () => {},
      ending: new AbortController().signal,
    })
  let keys = 0
  return {
    channels,
    queue,
    outgoing,
    makeSender,
    send: makeSender().run,
    /** What was logged. */
    lines,
    addChannel: async (
      kind: ChannelKindName,
      secrets: Readonly<Record<string, string>>,
      settings: Readonly<Record<string, unknown>> = {},
      organizationId = 1,
    ): Promise<number> => {
      const added = await channels.add(
        {
          organizationId,
          kind,
          name: `${kind} channel`,
          settings,
          sealed: { secrets, signing: kind === 'webhook' ? SIGNING_SECRET : null, former: null },
          createdBy: 1,
        },
        clock.now(),
      )
      if (!added.ok) throw new Error(added.error)
      return added.value
    },
    put: (to: Receiver, said: Message, more: Partial<Outgoing> = {}): Promise<void> =>
      ledger.transaction((transaction) => {
        keys += 1
        return enqueueMessages(
          transaction,
          [{ organizationId: 1, to, key: `key-${keys}`, message: said, ...more }],
          clock.now(),
        )
      }),
    rows: () => ledger.db.selectFrom('outbox').selectAll().orderBy('id').execute(),
    pass: (ms: number): void => clock.set(clock.now() + ms),
  }
}

export type OpenedOutbox = Awaited<ReturnType<typeof openOutbox>>
