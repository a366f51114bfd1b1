import { randomUUID } from 'node:crypto'
import type { ChannelSettings, ChannelTest } from '@firsthand/contract'
import type { Clock } from '../lib/clock.ts'
import { messageOf } from '../lib/error-text.ts'
import type { Outgoing } from '../lib/outgoing.ts'
import { toDate } from '../lib/instant-text.ts'
import type { Mailer } from '../mail/mailer.ts'
import { callChannel } from './call-way.ts'
import type { ChannelRecord } from './ledger/channels.ts'
import { mailAnswer } from './mail-answer.ts'
import { mailOfMessage } from './mail-of-message.ts'
import type { Message } from './message.ts'
import { plainLine } from './text.ts'
import { errorOf, type Tried } from './ways.ts'

interface Organization {
  readonly slug: string
  readonly name: string
}

export type TryChannel = (
  channel: ChannelRecord,
  organization: Organization,
  by: { readonly name: string; readonly email: string },
  /** One that says what is tried in particular. */
  message?: Message,
) => Promise<ChannelTest>

const testMessage = (channel: ChannelRecord, { slug }: Organization, by: string): Message => ({
  kind: 'test',
  level: 'info',
  headline: `Test: messages reach "${channel.name}"`,
  blocks: [
    { kind: 'text', text: `${by} sent this from Firsthand to see whether messages arrive. Nothing has to be done.` },
    { kind: 'facts', rows: [{ name: 'Organisation', value: slug }] },
  ],
  actions: [{ label: 'Open channels', path: `/organizations/${slug}/settings/channels` }],
  thread: `test:${randomUUID()}`,
  stage: 'single',
  reason: 'Somebody pressed "Send a test".',
})

const NO_MAIL = 'This server cannot send e-mail: set FIRSTHAND_SMTP_URL and start it again.'

/** Sends one message now, past all that waits, and tells what the other side said. */
export const createTryChannel = ({
  outgoing,
  mailer,
  publicUrl,
  clock,
}: {
  readonly outgoing: Pick<Outgoing, 'send'>
  readonly mailer: Mailer | null
  readonly publicUrl: string
  readonly clock: Clock
}): TryChannel => {
  const tryMail = async (channel: ChannelRecord, message: Message, organization: Organization): Promise<Tried> => {
    const { addresses } = channel.settings as ChannelSettings<'mail'>
    const body = mailOfMessage(message, { publicUrl, unsubscribeUrl: null, settingsUrl: null })
    const request = {
      method: 'MAIL',
      url: addresses.join(', '),
      headers: { subject: message.headline },
      body: body.text,
    }
    const answered = { request, status: null, remoteAddress: null }
    const failed = (error: string): Tried => ({ ...answered, verdict: { kind: 'failed', error }, answer: error })
    if (mailer === null) return failed(NO_MAIL)
    try {
      const sent = await mailer.send({
        to: addresses.map((address) => ({ name: '', address })),
        fromName: plainLine(`${organization.name} (Firsthand)`),
        replyTo: '',
        subject: plainLine(message.headline),
        ...body,
        id: `test.${randomUUID()}`,
      })
      return { ...answered, ...mailAnswer(sent, null) }
    } catch (error) {
      return failed(messageOf(error))
    }
  }

  return async (channel, organization, by, wanted) => {
    const now = clock.now()
    const begin = performance.now()
    const message = wanted ?? testMessage(channel, organization, plainLine(by.name === '' ? by.email : by.name))
    const tried =
      channel.kind === 'mail'
        ? await tryMail(channel, message, organization)
        : await callChannel({ outgoing, clock }, channel, {
            message,
            id: `msg_test${randomUUID().replaceAll('-', '')}`,
            thread: message.thread,
            organization,
            publicUrl,
            now,
            createdAt: now,
            remote: null,
            isRepeated: false,
          })
    const { verdict, request, status, answer, remoteAddress } = tried
    const error = errorOf(verdict)
    return {
      isSent: error === null,
      sentence: error ?? 'The other side took it. Look whether it is there.',
      attempt: {
        number: 1,
        startedAt: toDate(now),
        durationMs: Math.round(performance.now() - begin),
        request: { ...request, headers: { ...request.headers } },
        status,
        answer,
        remoteAddress,
        error,
      },
    }
  }
}
