import { CHANNEL_FORMS } from '@firsthand/contract'
import type { ChannelKindName, Target } from './channel.ts'
import { KINDS } from './kinds/index.ts'
import type { ChannelKind } from './kinds/kind.ts'
import { mailOfMessage } from './mail-of-message.ts'
import { subjectOf } from './mail-way.ts'
import type { Message } from './message.ts'

/** A message as one kind of channel would send it. */
export interface AsSent {
  /** Of a mail. */
  readonly subject: string | null
  /** The body of the request, or the text of the mail. */
  readonly body: string
  readonly html: string | null
}

export interface ToShow {
  readonly kind: ChannelKindName
  readonly settings: Readonly<Record<string, unknown>>
  readonly message: Message
  readonly organization: { readonly slug: string; readonly name: string }
  readonly publicUrl: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** In the place of a secret: nothing of what is shown was unsealed. */
const HIDDEN = '•'.repeat(8)
/** Where an address is a secret, something that is one has to stand for it. */
const HIDDEN_ADDRESS = 'https://hidden.invalid/'

const hiddenSecrets = (kind: ChannelKindName): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(CHANNEL_FORMS[kind].secrets.shape).map((name) => [name, name === 'url' ? HIDDEN_ADDRESS : HIDDEN]),
  )

/** What would go out, by the renderer that sends it, without what is secret of the channel. */
export const messageAsSent = ({ at, kind, message, organization, publicUrl, settings }: ToShow): AsSent => {
  if (kind === 'mail') {
    const { html, text } = mailOfMessage(message, { publicUrl, unsubscribeUrl: null, settingsUrl: null })
    return { subject: subjectOf(message, null), body: text, html }
  }
  // The settings are those of a channel of the kind, which nobody but its own form has written.
  const renderer: ChannelKind<ChannelKindName> = KINDS[kind]
  const target = { settings, secrets: hiddenSecrets(kind), signing: [] } as unknown as Target
  const { body } = renderer.call(target, {
    message,
    id: 'preview',
    thread: message.thread,
    organization,
    publicUrl,
    now: at,
    createdAt: at,
    remote: null,
    isRepeated: false,
  })
  return { subject: null, body, html: null }
}
