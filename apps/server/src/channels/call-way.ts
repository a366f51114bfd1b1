import { explainFailure, type Outgoing } from '../lib/outgoing.ts'
import type { Clock } from '../lib/clock.ts'
import type { Ledger } from '../storage/index.ts'
import type { ChannelKindName, SealedChannel, Target } from './channel.ts'
import { KINDS } from './kinds/index.ts'
import type { Call, CallAnswer, ChannelKind, Sending, Verdict } from './kinds/kind.ts'
import type { Channels, ChannelRecord } from './ledger/channels.ts'
import { LIMITS } from './limits.ts'
import { readRetryAfter } from './retry.ts'
import { addressWithoutSecrets, headersWithoutSecrets, withoutSecrets } from './secrets-in-text.ts'
import { tellingOf } from './told-together.ts'
import type { ReadSubject } from './stored-subject.ts'
import type { Ready, Tried, Way } from './ways.ts'

/** A kind whose settings and secrets are those of its channels, which nobody but its own form has written. */
type AnyKind = ChannelKind<ChannelKindName>

const kindOf = (name: ChannelKindName): AnyKind | null => (name === 'mail' ? null : KINDS[name])

/** All secrets by which messages are signed now, the newest first. */
export const signingSecrets = ({ signing, former }: SealedChannel, now: number): readonly string[] =>
  signing === null ? [] : [signing, ...(former !== null && former.until > now ? [former.secret] : [])]

export const targetOf = ({ settings, sealed }: Pick<ChannelRecord, 'settings' | 'sealed'>, now: number): Target =>
  ({ settings, secrets: sealed.secrets, signing: signingSecrets(sealed, now) }) as unknown as Target

/** The address that a channel calls; null for mail. */
export const addressOfChannel = (
  channel: Pick<ChannelRecord, 'kind' | 'settings' | 'sealed'>,
  now: number,
): string | null => kindOf(channel.kind)?.address(targetOf(channel, now)) ?? null

/** So short is what stands in any address, e.g. `hooks`. */
const TELLING_CHARS = 12

/** Of an address that is a secret also its parts: whoever is called knows their own host, and answers with the rest. */
const partsOf = (secret: string): readonly string[] => {
  const url = URL.parse(secret)
  if (url === null) return [secret]
  const parts = [url.pathname.slice(1), url.search.slice(1), ...url.pathname.split('/'), ...url.searchParams.values()]
  return [secret, url.href, ...parts.filter(({ length }) => length >= TELLING_CHARS)]
}

const secretsOf = ({ secrets, signing, former }: SealedChannel): readonly string[] =>
  [...Object.values(secrets), signing, former?.secret]
    .filter((secret) => typeof secret === 'string')
    .flatMap((secret) => partsOf(secret))

/** What a status means that nobody explains. */
const byStatus = (kind: AnyKind, { status, headers }: CallAnswer, now: number): Verdict => {
  const said = `The other side answered ${status}.`
  if (status >= 200 && status < 300) return { kind: 'sent', remote: null }
  if (status === 410) return { kind: 'gone', error: 'The other side answered 410: this address is gone for good.' }
  if (status >= 300 && status < 400) {
    return { kind: 'failed', error: `${said} Messages do not follow to another address: enter the one where it ends.` }
  }
  const isPassing = status === 408 || status === 425 || status === 429 || status >= 500
  return isPassing || kind.retriesRefusals === true
    ? { kind: 'again', afterMs: readRetryAfter(headers['retry-after'], now), error: said }
    : { kind: 'failed', error: said }
}

export interface CallParts {
  readonly ledger: Ledger
  readonly channels: Pick<Channels, 'find'>
  readonly outgoing: Pick<Outgoing, 'send'>
  readonly publicUrl: string
  readonly clock: Clock
  readonly readSubject: ReadSubject
}

/** Calls a channel once. Nothing of what it answers here has a secret in it. */
export const callChannel = async (
  { outgoing, clock }: Pick<CallParts, 'outgoing' | 'clock'>,
  channel: ChannelRecord,
  sending: Sending,
): Promise<Tried> => {
  const kind = kindOf(channel.kind)
  if (kind === null) throw new Error('Mail is not called.')
  const secrets = secretsOf(channel.sealed)
  const call: Call = kind.call(targetOf(channel, sending.now), sending)
  const request = {
    method: call.method,
    url: addressWithoutSecrets(call.url),
    headers: headersWithoutSecrets(call.headers, secrets),
    body: withoutSecrets(call.body, secrets).slice(0, LIMITS.DELIVERY_REQUEST_KEPT_CHARS),
  }
  const answered = await outgoing.send(call.url, {
    method: call.method,
    headers: call.headers,
    body: call.body,
    timeoutMs: LIMITS.DELIVERY_TIMEOUT_MS,
    maxBytes: LIMITS.DELIVERY_ANSWER_BYTES,
    maxRedirects: 0,
    cut: true,
  })
  if (!answered.ok) {
    const { why, address } = answered.error
    const error = withoutSecrets(explainFailure(answered.error), secrets)
    const isFinal = why === 'no_web_address' || why === 'private_address'
    const verdict: Verdict = isFinal ? { kind: 'failed', error } : { kind: 'again', afterMs: 0, error }
    return { verdict, request, status: null, answer: null, remoteAddress: address }
  }
  const { status, headers, bytes, address } = answered.value
  const answer: CallAnswer = { status, headers, text: Buffer.from(bytes).toString('utf8') }
  const verdict = kind.read?.(answer, sending) ?? byStatus(kind, answer, clock.now())
  return {
    verdict: 'error' in verdict ? { ...verdict, error: withoutSecrets(verdict.error, secrets) } : verdict,
    request,
    status,
    answer: withoutSecrets(answer.text, secrets).slice(0, LIMITS.DELIVERY_ANSWER_KEPT_CHARS),
    remoteAddress: address,
  }
}

export const organizationOf = async (
  { db }: Ledger,
  id: number,
): Promise<{ readonly id: number; readonly slug: string; readonly name: string }> =>
  db.selectFrom('organizations').select(['id', 'slug', 'name']).where('id', '=', id).executeTakeFirstOrThrow()

/** Receivers of Sentry's format were written for events and issues as Sentry sends them: whole. */
const wantsSubject = ({ kind, settings }: ChannelRecord): boolean =>
  kind === 'webhook' && settings['format'] === 'sentry'

/** Messages that are sent by calling somebody. */
export const createCallWay =
  (parts: CallParts): Way =>
  async (taken): Promise<Ready | { readonly refusal: string }> => {
    const { ledger, channels, publicUrl, clock, readSubject } = parts
    const channel = taken.channelId === null ? null : await channels.find(taken.organizationId, taken.channelId)
    if (channel === null) return { refusal: 'The channel was deleted.' }
    if (!channel.isOn) return { refusal: 'The channel is switched off.' }
    const organization = await organizationOf(ledger, taken.organizationId)
    const address = addressOfChannel(channel, clock.now()) ?? ''
    return {
      host: URL.parse(address)?.host ?? '',
      spacingMs: kindOf(channel.kind)?.spacingMs ?? 0,
      send: async () =>
        callChannel(parts, channel, {
          ...(wantsSubject(channel) ? { stored: await readSubject(organization, taken.message.about) } : {}),
          incidentId: taken.incidentId,
          message: tellingOf(taken.message, taken.within),
          id: messageId(taken),
          thread: taken.thread,
          organization,
          publicUrl,
          now: clock.now(),
          createdAt: taken.createdAt,
          remote: taken.remote,
          isRepeated: taken.attempt > 1,
        }),
    }
  }

/** What receivers tell doubles by: the same for all tries, redelivered ones included. */
export const messageId = ({ id, createdAt }: { readonly id: number; readonly createdAt: number }): string =>
  `msg_${createdAt.toString(36)}${id.toString(36).padStart(6, '0')}`
