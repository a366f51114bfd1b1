import { messageOf } from '../lib/error-text.ts'
import { readProjectSettings } from '../accounts/index.ts'
import type { ReplySettings } from '../accounts/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { Occasion } from '../lib/occasion.ts'
import { LIMITS } from './limits.ts'
import { LIMITS as MAIL_LIMITS } from '../mail/limits.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'
import { fill, reporterTexts } from './reporter-texts.ts'
import { cleanLine, isMailAddress } from './text.ts'
import { THREAD_PATH } from './thread-link.ts'
import type { DueMail } from './threads.store.ts'
import { UNSUBSCRIBE_PATH, unsubscribeToken } from './unsubscribe.ts'
import type { Threads } from './ledger/threads.ts'

/** How a message can reach a reporter. */
export type Way =
  | { readonly by: 'email' | 'page'; readonly reason: null }
  | { readonly by: 'none'; readonly reason: string }

/** The best way that is open, or why none is. */
export const wayToReporter = (
  reporter: { readonly email: string; readonly token: string | null },
  reply: ReplySettings,
  canSendEmail: boolean,
): Way => {
  const hasAddress = isMailAddress(reporter.email)
  if (reply.email && canSendEmail && hasAddress) return { by: 'email', reason: null }
  if (reply.page && reporter.token !== null) return { by: 'page', reason: null }
  if (!hasAddress) return { by: 'none', reason: 'The reporter gave no e-mail address and has no private link.' }
  if (!canSendEmail) {
    return { by: 'none', reason: 'This server cannot send e-mail: set FIRSTHAND_SMTP_URL and start it again.' }
  }
  return { by: 'none', reason: 'Answers by e-mail and by private link are switched off in the project’s settings.' }
}

const QUOTED_LINES = 20

const quote = (text: string): string => {
  const lines = text.split('\n')
  const shown = lines.slice(0, QUOTED_LINES).map((line) => `> ${line}`.trimEnd())
  return (lines.length > QUOTED_LINES ? [...shown, '> …'] : shown).join('\n')
}

/** @param addressHash of whom it goes to; mails about repairs, which nobody asked for, say how to get no more of them */
export const composeMail = (mail: DueMail, publicUrl: string, addressHash: string): Mail => {
  const { reply } = readProjectSettings(mail.settings).feedback
  const texts = reporterTexts([mail.locale])
  const project = cleanLine(reply.fromName === '' ? mail.projectName : reply.fromName, LIMITS.FEEDBACK_NAME_CHARS)
  const link = mail.token === null || !reply.page ? null : `${publicUrl}${THREAD_PATH}${mail.token}`
  const stop =
    mail.author === 'system' ? `${publicUrl}${UNSUBSCRIBE_PATH}${unsubscribeToken(mail.projectId, addressHash)}` : null
  const parts = [
    mail.text,
    ...(link === null ? [] : [`${texts.answerHere}\n${link}`]),
    // In what nobody wrote to them, its receiver reads no words of whoever gave the address, who may be somebody else.
    ...(mail.author === 'system' ? [] : [`${texts.youWrote}\n${quote(mail.reportText)}`]),
    `-- \n${fill(texts.whyThisMail, { project })}${stop === null ? '' : `\n${texts.stopHere}\n${stop}`}`,
  ]
  return {
    to: {
      name: mail.author === 'system' ? '' : cleanLine(mail.reporterName, LIMITS.FEEDBACK_NAME_CHARS),
      address: mail.email,
    },
    fromName: project,
    replyTo: reply.replyTo,
    subject: fill(mail.author === 'system' ? texts.subjectResolved : texts.subjectReply, { project }),
    text: `${parts.join('\n\n')}\n`,
    id: `feedback-${mail.messageId}`,
    ...(stop === null ? {} : { unsubscribeUrl: stop }),
  }
}

/**
 * Sends what is due. Run again and again.
 *
 * @param parts.mailer null: no e-mail from here
 * @param parts.occasion learns when something is due that nothing has to happen for
 */
export const createReporterJob = (parts: {
  readonly threads: Threads
  readonly mailer: Mailer | null
  readonly publicUrl: string
  readonly clock: Clock
  readonly logger: Logger
  readonly occasion: Occasion
  /** What an address is recognised by among those that want no mails. */
  readonly addressHash: (organizationId: number, address: string) => string
}) => {
  const { threads, mailer, clock, logger, occasion } = parts

  const sendOne = async (mail: DueMail, by: Mailer): Promise<void> => {
    const now = clock.now()
    if (!isMailAddress(mail.email)) return threads.mailFailed(mail.messageId, 'This is no e-mail address.', null)
    const since = now - LIMITS.FEEDBACK_MAIL_WINDOW_MS
    const isTooMany =
      (await threads.countSent(mail.email, since)) >= LIMITS.FEEDBACK_MAILS_PER_ADDRESS ||
      (mail.author === 'system' &&
        (await threads.countUnasked(mail.projectId, since)) >= LIMITS.FEEDBACK_UNASKED_MAILS_PER_PROJECT)
    if (isTooMany) {
      return threads.postponeMail(mail.messageId, now + LIMITS.FEEDBACK_MAIL_RETRY_MS)
    }
    try {
      await by.send(composeMail(mail, parts.publicUrl, parts.addressHash(mail.organizationId, mail.email)))
    } catch (error) {
      const said = messageOf(error)
      const permanent = error instanceof Error && error.name === 'PermanentMailError'
      const last = permanent || mail.attempts + 1 >= LIMITS.FEEDBACK_MAIL_ATTEMPTS
      const retryAt = last ? null : clock.now() + LIMITS.FEEDBACK_MAIL_RETRY_MS * 2 ** mail.attempts
      logger.warn(last ? 'a mail to a reporter failed for good' : 'a mail to a reporter failed; it is tried again', {
        message: mail.messageId,
        error: said,
      })
      return threads.mailFailed(mail.messageId, said.slice(0, LIMITS.FEEDBACK_NAME_CHARS * 4), retryAt)
    }
    return threads.mailSent(mail.messageId, clock.now())
  }

  /** Answers when the next mail is due. */
  const deliver = async (): Promise<number> => {
    if (mailer === null) return Infinity
    const now = clock.now()
    const leaseUntil = now + 2 * MAIL_LIMITS.FEEDBACK_MAIL_TIMEOUT_MS
    // One at a time: mail servers like that, and a lease that ran out would double a mail.
    for (let count = 0; count < LIMITS.FEEDBACK_STEP_ROWS; count += 1) {
      const dueAt = await threads.nextMailAt()
      if (dueAt === null || dueAt > now) return dueAt ?? Infinity
      const [mail] = await threads.takeDueMails(now, leaseUntil, 1)
      if (mail === undefined) return leaseUntil
      await sendOne(mail, mailer)
    }
    return now
  }

  return {
    run: (): Promise<void> =>
      occasion.take(async (now) => {
        await threads.linkLateEvents(now, LIMITS.FEEDBACK_STEP_ROWS)
        return deliver()
      }),
  }
}
