import { messageOf } from '../lib/error-text.ts'
import type { Ask, Question } from '../lib/questions.ts'
import type { Mail, MailAddress, Mailer } from '../mail/mailer.ts'
import type { Ledger } from '../storage/index.ts'
import { messageId, organizationOf } from './call-way.ts'
import type { ChannelSettings } from '@firsthand/contract'
import { MAIL_HOST } from './hosts.ts'
import type { Channels } from './ledger/channels.ts'
import type { TakenMessage } from './ledger/outbox-queue.ts'
import { mailAnswer } from './mail-answer.ts'
import { shownInHeader } from './addresses.ts'
import { mailOfMessage } from './mail-of-message.ts'
import type { Message } from './message.ts'
import { cut, inBytes, plainLine } from './text.ts'
import { tellingOf } from './told-together.ts'
import type { Ready, Tried, Way } from './ways.ts'

/** Below our public URL, where one click ends mails of a kind to a person; answered by who keeps their settings. */
export const UNSUBSCRIBE_PATH_OF: Question<{ readonly userId: number; readonly kinds: string }, string | null> = {
  name: 'where one unsubscribes',
  otherwise: null,
}

/** Where a person changes what they get, below our public URL. */
export const NOTICE_SETTINGS_PATH_OF: Question<
  { readonly organizationId: number; readonly userId: number },
  string | null
> = {
  name: 'where one changes what one gets',
  otherwise: null,
}

/** Whether mails to a person's address go out: one that sends them back is left alone. */
export const MAY_BE_MAILED: Question<number, boolean> = { name: 'may be mailed', otherwise: true }

/** A mail to a person was refused by their mail server: for good, or (`soft`) for now. */
export interface RefusedMail {
  readonly userId: number
  readonly how: 'hard' | 'soft'
  /** Of the mail: it is tried again under the same one. */
  readonly key: string
  readonly said: string
  readonly at: number
}
export const MAIL_WAS_REFUSED: Question<RefusedMail, null> = { name: 'a mail was refused', otherwise: null }

/** Mails to a person are taken. */
export const MAIL_WAS_TAKEN: Question<number, null> = { name: 'a mail was taken', otherwise: null }

const refusedHow = (error: unknown): RefusedMail['how'] | null => {
  const how = error instanceof Error && 'refused' in error ? error.refused : null
  return how === 'hard' || how === 'soft' ? how : null
}

// A line of a header may have 998 octets (RFC 5322); most readers show far less.
const SUBJECT_BYTES = 200

interface MailParts {
  readonly ledger: Ledger
  readonly channels: Pick<Channels, 'find'>
  /** Null: this server sends no mail. */
  readonly mailer: Mailer | null
  readonly ask: Ask
  readonly publicUrl: string
  readonly now: () => number
}

interface Addressed {
  readonly to: MailAddress | readonly MailAddress[]
  readonly unsubscribePath: string | null
  readonly settingsPath: string | null
}

const memberAddress = async ({ db }: Ledger, organizationId: number, userId: number): Promise<MailAddress | null> => {
  const row = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.name', 'users.email'])
    .where('members.organization_id', '=', organizationId)
    .where('members.user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? null : { name: plainLine(row.name), address: row.email }
}

const addressed = async (parts: MailParts, taken: TakenMessage): Promise<Addressed | { readonly refusal: string }> => {
  const { ledger, channels, ask } = parts
  const { organizationId, userId, channelId, address, name } = taken
  if (userId !== null) {
    const to = await memberAddress(ledger, organizationId, userId)
    if (to === null) return { refusal: 'They are no member of the organisation any more.' }
    if (!(await ask(MAY_BE_MAILED, userId))) {
      return {
        refusal: 'Mails to this address came back, so none are sent to it until somebody switches them on again.',
      }
    }
    return {
      to,
      unsubscribePath: await ask(UNSUBSCRIBE_PATH_OF, { userId, kinds: taken.unsubscribe ?? '' }),
      settingsPath: await ask(NOTICE_SETTINGS_PATH_OF, { organizationId, userId }),
    }
  }
  if (channelId !== null) {
    const channel = await channels.find(organizationId, channelId)
    if (channel === null) return { refusal: 'The channel was deleted.' }
    if (!channel.isOn) return { refusal: 'The channel is switched off.' }
    const { addresses } = channel.settings as ChannelSettings<'mail'>
    return { to: addresses.map((one) => ({ name: '', address: one })), unsubscribePath: null, settingsPath: null }
  }
  return { to: { name: name ?? '', address: address ?? '' }, unsubscribePath: null, settingsPath: null }
}

/**
 * Readers put mails of one conversation together by `References`, and some of them only where the subject is the same: it
 * stays that of the first one, and what is new stands in the first line.
 */
export const subjectOf = (message: Message, first: string | null): string =>
  cut(plainLine(first === null ? shownInHeader(message.headline) : `Re: ${first}`), SUBJECT_BYTES, inBytes)

/** Messages as e-mail, to members, to addresses of a channel and to others. */
export const createMailWay =
  (parts: MailParts): Way =>
  async (taken): Promise<Ready | { readonly refusal: string }> => {
    const { ledger, mailer, ask, publicUrl, now } = parts
    if (mailer === null) {
      return { refusal: 'This server cannot send e-mail: set FIRSTHAND_SMTP_URL and start it again.' }
    }
    const receivers = await addressed(parts, taken)
    if ('refusal' in receivers) return receivers
    const organization = await organizationOf(ledger, taken.organizationId)
    const { to, unsubscribePath, settingsPath } = receivers
    const unsubscribeUrl = unsubscribePath === null ? null : `${publicUrl}${unsubscribePath}`
    const message = tellingOf(taken.message, taken.within)
    const body = mailOfMessage(message, {
      publicUrl,
      unsubscribeUrl,
      settingsUrl: settingsPath === null ? null : `${publicUrl}${settingsPath}`,
    })
    const subject = subjectOf(message, taken.remote)
    const mail: Mail = {
      to,
      fromName: plainLine(`${organization.name} (Firsthand)`),
      replyTo: '',
      subject,
      ...body,
      id: messageId(taken),
      conversation: `thread.${taken.thread}`,
      list: `${message.kind}.${organization.slug}`,
      ...(unsubscribeUrl === null ? {} : { unsubscribeUrl }),
    }
    const request = {
      method: 'MAIL',
      url: [to]
        .flat()
        .map(({ address }) => address)
        .join(', '),
      headers: { subject },
      body: body.text,
    }
    return {
      host: MAIL_HOST,
      spacingMs: 0,
      send: async (): Promise<Tried> => {
        const answered = { request, status: null, remoteAddress: null }
        try {
          // What the next ones of the conversation are called.
          const remote = taken.remote ?? subject
          return { ...answered, ...mailAnswer(await mailer.send(mail), remote) }
        } catch (error) {
          const said = messageOf(error)
          const isFinal = error instanceof Error && error.name === 'PermanentMailError'
          const refused = refusedHow(error)
          const verdict = isFinal
            ? ({ kind: 'failed', error: said } as const)
            : ({ kind: 'again', afterMs: 0, error: said } as const)
          return { ...answered, verdict, answer: said, ...(refused === null ? {} : { refused }) }
        }
      },
      noted: async ({ verdict, refused }) => {
        const { userId, key } = taken
        if (userId === null) return
        if (verdict.kind === 'sent') await ask(MAIL_WAS_TAKEN, userId)
        else if (refused !== undefined) {
          await ask(MAIL_WAS_REFUSED, { userId, how: refused, key, said: verdict.error, at: now() })
        }
      },
    }
  }
