import type { Tracker, TrackerKindName } from '@firsthand/contract'
import { KINDS, type KindField } from './kinds.ts'

/** What stands in the form: by the names of fields, which no two kinds use for different things. */
export interface TrackerForm {
  readonly kind: TrackerKindName
  readonly name: string
  readonly url: string
  readonly repository: string
  readonly project: string
  readonly version: string
  readonly issueType: string
  readonly apiUrl: string
  readonly email: string
  readonly team: string
  readonly token: string
  readonly webhookSecret: string
}

export type FieldName = Exclude<keyof TrackerForm, 'kind' | 'name'>

const EMPTY: TrackerForm = {
  kind: 'github',
  name: '',
  url: '',
  repository: '',
  project: '',
  version: '3',
  issueType: 'Bug',
  apiUrl: '',
  email: '',
  team: '',
  token: '',
  webhookSecret: '',
}

/** Where most have theirs. */
const USUAL: Partial<Readonly<Record<TrackerKindName, string>>> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
}

/** The address that stands there when a kind is chosen. */
export const addressOf = (kind: TrackerKindName): string => USUAL[kind] ?? ''

/** A new connection, or one as it is, whose secrets nobody sees. */
export const startOf = (tracker: Tracker | null): TrackerForm => {
  if (tracker === null) return { ...EMPTY, url: addressOf(EMPTY.kind) }
  const settings = Object.entries(tracker.settings).map(([name, value]) => [name, String(value)])
  return { ...EMPTY, ...Object.fromEntries(settings), kind: tracker.kind, name: tracker.name }
}

const textOf = (values: TrackerForm, { name }: KindField): string => values[name as FieldName].trim()

/** What is sent: of a connection that is changed, secrets only where somebody entered one. */
export const fieldsOf = (values: TrackerForm, isNew: boolean) => {
  const pick = (place: KindField['place']): Record<string, string> =>
    Object.fromEntries(
      KINDS[values.kind].fields
        .filter((field) => field.place === place)
        // What may be left out may also be taken away again; a secret that nobody entered stays.
        .filter((field) => textOf(values, field) !== '' || (!isNew && place === 'settings' && field.optional === true))
        .map((field) => [field.name, textOf(values, field)] as const),
    )
  const secrets = pick('secrets')
  return { settings: pick('settings'), ...(isNew || Object.keys(secrets).length > 0 ? { secrets } : {}) }
}

/** What is missing, by field; the server knows the rest. */
export const problemsOf = (values: TrackerForm, isNew: boolean): Partial<Record<keyof TrackerForm, string>> => {
  const missing = KINDS[values.kind].fields
    .filter(({ optional }) => optional !== true)
    .filter(({ place }) => isNew || place === 'settings')
    .filter((field) => textOf(values, field) === '')
    .map((field) => [field.name, `${field.label} is missing.`] as const)
  return {
    ...(values.name.trim() === '' && { name: 'Name the tracker, so that people know which one it is.' }),
    ...Object.fromEntries(missing),
  }
}
