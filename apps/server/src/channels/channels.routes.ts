import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  restoreChannel,
  rotateChannelSecret,
  testChannel,
  updateChannel,
  type BodyOutput,
} from '@firsthand/contract'
import { badRequest, bind, conflict, notFound, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { explainFailure, type Outgoing } from '../lib/outgoing.ts'
import { addressOfChannel } from './call-way.ts'
import type { SealedChannel } from './channel.ts'
import type { FieldProblems } from '../lib/entered-fields.ts'
import { readChannelFields } from './channel-fields.ts'
import { channelJson } from './channel-json.ts'
import type { ChannelRecord, Channels } from './ledger/channels.ts'
import { LIMITS } from './limits.ts'
import type { TryChannel } from './try-channel.ts'

interface RouteParts {
  readonly channels: Channels
  readonly outgoing: Pick<Outgoing, 'judge'>
  readonly tryChannel: TryChannel
  readonly clock: Clock
  /** Told when somebody changed a channel, for open pages. */
  readonly changed: (organizationId: number) => void
}

const SECRET_BYTES = 32

const makeSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

export const readId = (reference: string): number => (/^\d{1,15}$/.test(reference) ? Number(reference) : 0)

const refused = (problems: FieldProblems): Error => badRequest(Object.values(problems).join(' '), problems)

const tooMany = (): Error =>
  conflict(`An organisation has at most ${LIMITS.CHANNELS_PER_ORGANIZATION} channels. Delete some first.`)

const changedMeanwhile = (): Error =>
  conflict('Somebody else changed this channel meanwhile. Look at it again, and change it then.')

/** Where messages go from now on, and by which secrets; null where that stays as it is. */
const changedTarget = (
  before: ChannelRecord,
  entered: Pick<BodyOutput<typeof updateChannel>, 'settings' | 'secrets'>,
): Pick<ChannelRecord, 'settings' | 'sealed'> | null => {
  const settings = { ...before.settings, ...entered.settings }
  const kept = before.sealed.secrets
  const isElsewhere = settings['server'] !== before.settings['server']
  const fields = readChannelFields(before.kind, { settings, secrets: { ...kept, ...entered.secrets } })
  if (!fields.ok) throw refused(fields.error)
  // Whoever may change the server may not have what was entered for the old one sent to it.
  const untold = isElsewhere ? Object.keys(kept).filter((name) => entered.secrets?.[name] === undefined) : []
  if (untold.length > 0) {
    const sentence = 'What was entered for the server before is not sent to another one: enter it again.'
    throw refused(Object.fromEntries(untold.map((name) => [name, sentence])))
  }
  const { value } = fields
  const isSame = isDeepStrictEqual(value, { settings: { ...before.settings }, secrets: { ...kept } })
  return isSame ? null : { settings: value.settings, sealed: { ...before.sealed, secrets: value.secrets } }
}

/** The field in which the address of a kind stands. */
const addressField = (channel: Pick<ChannelRecord, 'settings'>): string =>
  'server' in channel.settings ? 'server' : 'url'

/** Says at once what would be said at each message: that its address may not be called. */
const judgeAddress = async (
  { outgoing, clock }: Pick<RouteParts, 'outgoing' | 'clock'>,
  channel: Pick<ChannelRecord, 'kind' | 'settings' | 'sealed'>,
): Promise<void> => {
  const address = addressOfChannel(channel, clock.now())
  if (address === null) return
  const judged = await outgoing.judge(address, { timeoutMs: LIMITS.DELIVERY_TIMEOUT_MS })
  if (!judged.ok) throw refused({ [addressField(channel)]: explainFailure(judged.error) })
}

const finding =
  (channels: Pick<Channels, 'find'>) =>
  async (organizationId: number, reference: string): Promise<ChannelRecord> => {
    const channel = await channels.find(organizationId, readId(reference))
    if (channel === null) throw notFound()
    return channel
  }

/** Channels of an organisation: all of it see them, those who may change it change them. */
export const createChannelRoutes = (parts: RouteParts): Route[] => [
  ...createReadingRoutes(parts),
  ...createChangingRoutes(parts),
  ...createSecretRoutes(parts),
]

const createReadingRoutes = ({ channels, clock }: RouteParts): Route[] => {
  const found = finding(channels)
  return [
    bind(listChannels, async ({ request }) => {
      const all = await channels.list(request.organization.id)
      return { body: all.map((channel) => channelJson(channel, clock.now())) }
    }),
    bind(getChannel, async ({ params, request }) => ({
      body: channelJson(await found(request.organization.id, params.channel), clock.now()),
    })),
  ]
}

const createChangingRoutes = (parts: RouteParts): Route[] => {
  const { channels, clock, changed } = parts
  const found = finding(channels)
  const shown = async (organizationId: number, id: number) => {
    changed(organizationId)
    return channelJson(await found(organizationId, String(id)), clock.now())
  }
  return [
    bind(createChannel, async ({ body, request }) => {
      const { kind, name } = body
      const fields = readChannelFields(kind, body)
      if (!fields.ok) throw refused(fields.error)
      const { settings, secrets } = fields.value
      const signing = kind === 'webhook' ? makeSigningSecret() : null
      const sealed: SealedChannel = { secrets, signing, former: null }
      await judgeAddress(parts, { kind, settings, sealed })
      const organizationId = request.organization.id
      const createdBy = request.caller.user.id
      const added = await channels.add({ organizationId, kind, name, settings, sealed, createdBy }, clock.now())
      if (!added.ok) throw tooMany()
      return { body: { ...(await shown(organizationId, added.value)), signingSecret: signing }, status: 201 }
    }),

    bind(updateChannel, async ({ params, body, request }) => {
      const organizationId = request.organization.id
      const before = await found(organizationId, params.channel)
      const { name, isOn, version = before.version } = body
      const target = changedTarget(before, body)
      if (target !== null) await judgeAddress(parts, { kind: before.kind, ...target })
      const isChanged = await channels.change(
        { ...before, version },
        {
          ...(name === undefined ? {} : { name }),
          ...(isOn === undefined ? {} : { isOn }),
          ...target,
        },
      )
      if (!isChanged) throw changedMeanwhile()
      return { body: await shown(organizationId, before.id) }
    }),

    bind(deleteChannel, async ({ params, request }) => {
      const { id } = await found(request.organization.id, params.channel)
      await channels.remove(request.organization.id, id, clock.now())
      changed(request.organization.id)
      return { body: null }
    }),

    bind(restoreChannel, async ({ params, request }) => {
      const id = readId(params.channel)
      const restored = await channels.restore(request.organization.id, id)
      if (!restored.ok) throw restored.error === 'gone' ? notFound() : tooMany()
      return { body: await shown(request.organization.id, id) }
    }),
  ]
}

const createSecretRoutes = ({ channels, clock, changed, tryChannel }: RouteParts): Route[] => {
  const found = finding(channels)
  return [
    bind(rotateChannelSecret, async ({ params, request }) => {
      const organizationId = request.organization.id
      const before = await found(organizationId, params.channel)
      const { signing: secret } = before.sealed
      if (secret === null) throw badRequest('A channel of this kind has no secret of ours: enter a new one of theirs.')
      const signing = makeSigningSecret()
      const former = { secret, until: clock.now() + LIMITS.CHANNEL_ROTATION_MS }
      if (!(await channels.change(before, { sealed: { ...before.sealed, signing, former } }))) throw changedMeanwhile()
      changed(organizationId)
      const after = await found(organizationId, params.channel)
      return { body: { ...channelJson(after, clock.now()), signingSecret: signing } }
    }),

    bind(testChannel, async ({ params, request }) => {
      const channel = await found(request.organization.id, params.channel)
      const tried = await tryChannel(channel, request.organization, request.caller.user)
      if (tried.isSent) {
        await channels.reached(channel, clock.now())
        changed(request.organization.id)
      }
      return { body: tried }
    }),
  ]
}
