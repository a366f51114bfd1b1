import type { Channel, ChannelKindName } from '@firsthand/contract'
import { KINDS, type KindField } from './kinds.ts'

/** What stands in the form: by the names of fields, which no two kinds use for different things. */
export interface ChannelForm {
  readonly kind: ChannelKindName
  readonly name: string
  readonly addresses: string
  readonly url: string
  readonly token: string
  readonly channel: string
  readonly chat: string
  readonly server: string
  readonly topic: string
  readonly routingKey: string
  readonly region: string
  readonly apiKey: string
  readonly format: string
}

export type FieldName = Exclude<keyof ChannelForm, 'kind' | 'name'>

const EMPTY: ChannelForm = {
  kind: 'mail',
  name: '',
  addresses: '',
  url: '',
  token: '',
  channel: '',
  chat: '',
  server: 'https://ntfy.sh',
  topic: '',
  routingKey: '',
  region: 'us',
  apiKey: '',
  format: 'firsthand',
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : String(value))

/** A new channel, or one as it is, whose secrets nobody sees. */
export const startOf = (channel: Channel | null): ChannelForm => {
  if (channel === null) return EMPTY
  const settings = Object.entries(channel.settings).map(([name, value]) => [name, textOf(value)])
  return { ...EMPTY, ...Object.fromEntries(settings), kind: channel.kind, name: channel.name }
}

const valueOf = ({ name, form }: KindField, values: ChannelForm): unknown => {
  const text = values[name as FieldName].trim()
  return form === 'lines' ? text.split(/[\s,;]+/).filter((line) => line !== '') : text
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0)

/** What is sent: of a channel that is changed, secrets only where somebody entered one. */
export const fieldsOf = (values: ChannelForm, isNew: boolean) => {
  const pick = (place: KindField['place']): Record<string, unknown> =>
    Object.fromEntries(
      KINDS[values.kind].fields
        .filter((field) => field.place === place)
        .map((field) => [field.name, valueOf(field, values)] as const)
        .filter(([, value]) => !isEmpty(value)),
    )
  const secrets = pick('secrets')
  return {
    settings: pick('settings'),
    ...(isNew || Object.keys(secrets).length > 0 ? { secrets } : {}),
  }
}

/** What is missing, by field; the server knows the rest. */
export const problemsOf = (values: ChannelForm, isNew: boolean): Partial<Record<keyof ChannelForm, string>> => {
  const missing = KINDS[values.kind].fields
    .filter(({ optional }) => optional !== true)
    .filter(({ place }) => isNew || place === 'settings')
    .filter((field) => isEmpty(valueOf(field, values)))
    .map((field) => [field.name, `${field.label} is missing.`] as const)
  return {
    ...(values.name.trim() === '' && { name: 'Name the channel, so that rules can be read.' }),
    ...Object.fromEntries(missing),
  }
}
