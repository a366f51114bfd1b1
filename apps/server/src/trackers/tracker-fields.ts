import { TRACKER_FORMS, type TrackerKindName } from '@firsthand/contract'
import { readEntered } from '../lib/entered-fields.ts'
import { err } from '../lib/result.ts'
import { trimmed } from './kinds/answers.ts'
import { kindOf } from './kinds/index.ts'
import { targetOf } from './tracker.ts'

/** What people are told of a field that is not as its kind wants it. */
const SENTENCES: Readonly<Record<string, string>> = {
  url: 'Enter the address of the tracker, beginning with https:// and without ? and #.',
  repository: 'Write owner/name, as in the address of the repository.',
  project: 'Write the path of the project, as group/name; in Jira its key, as SHOP.',
  issueType: 'Enter the name of an issue type, as Bug.',
  version: 'Choose Jira Cloud or Data Center.',
  apiUrl: 'Enter the API address as https://api.atlassian.com/ex/jira, or leave it empty.',
  email: 'Enter the e-mail address of the account to which the token belongs.',
  team: 'Enter the key of the team, as ENG.',
  token: 'Enter the token.',
  webhookSecret: 'Enter the signing secret as the tracker shows it for the webhook; of GitLab it begins with whsec_.',
}

/** Reads what somebody entered for a kind of tracker. */
export const readTrackerFields = (
  kind: TrackerKindName,
  entered: { readonly settings: unknown; readonly secrets: unknown },
): ReturnType<typeof readEntered> => {
  const read = readEntered(TRACKER_FORMS[kind], entered, {
    thing: 'tracker',
    sentenceOf: (field) => SENTENCES[field],
  })
  if (!read.ok || kind !== 'jira') return read
  const { apiUrl = '', email = '', url } = read.value.settings
  // A service account of the cloud has a token alone.
  const lacksEmail = String(url).endsWith('.atlassian.net') && email === '' && apiUrl === ''
  return lacksEmail ? err({ email: SENTENCES['email'] ?? '' }) : read
}

/** Where the tickets of a connection are, however its address is written. */
export const placeOf = (kind: TrackerKindName, settings: Readonly<Record<string, unknown>>): string => {
  const written = String(settings['url'])
  const address = TRACKER_FORMS[kind].settings.shape.url.safeParse(written).data ?? written
  const name = kindOf(kind).name(targetOf({ settings, sealed: { secrets: {}, hook: null } }).settings)
  return `${trimmed(address)} ${name}`.toLowerCase()
}
