import { TRACKER_FORMS, type TrackerKindName } from '@firsthand/contract'
import { err, ok, type Result } from '../lib/result.ts'
import { trimmed } from './kinds/answers.ts'
import { kindOf } from './kinds/index.ts'
import { targetOf } from './tracker.ts'

interface Fields {
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string | undefined>>
}

/** What is wrong, by the field that it is about. */
export type FieldProblems = Readonly<Record<string, string>>

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

/** Reads what somebody entered for a kind of tracker; strange fields are refused like wrong ones. */
export const readTrackerFields = (
  kind: TrackerKindName,
  entered: { readonly settings: unknown; readonly secrets: unknown },
): Result<Fields, FieldProblems> => {
  const form = TRACKER_FORMS[kind]
  const settings = form.settings.safeParse(entered.settings)
  const secrets = form.secrets.safeParse(entered.secrets)
  if (settings.success && secrets.success) {
    if (
      kind === 'jira' &&
      settings.data.url.endsWith('.atlassian.net') &&
      'email' in settings.data &&
      settings.data.email === '' &&
      // A service account has a token alone.
      !('apiUrl' in settings.data && settings.data.apiUrl !== '')
    ) {
      return err({ email: SENTENCES['email'] ?? '' })
    }
    return ok({ settings: { ...settings.data }, secrets: { ...secrets.data } })
  }
  const issues = [...(settings.error?.issues ?? []), ...(secrets.error?.issues ?? [])]
  const problems = issues.flatMap(({ code, path, ...issue }): [string, string][] => {
    if (code === 'unrecognized_keys') {
      const keys = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.map(String) : []
      return keys.map((key) => [key, `A tracker of this kind has no "${key}".`])
    }
    const field = String(path[0] ?? 'settings')
    return [[field, SENTENCES[field] ?? issue.message]]
  })
  return err(Object.fromEntries(problems))
}

/** Where the tickets of a connection are, however its address is written. */
export const placeOf = (kind: TrackerKindName, settings: Readonly<Record<string, unknown>>): string => {
  const written = String(settings['url'])
  const address = TRACKER_FORMS[kind].settings.shape.url.safeParse(written).data ?? written
  const name = kindOf(kind).name(targetOf({ settings, sealed: { secrets: {}, hook: null } }).settings)
  return `${trimmed(address)} ${name}`.toLowerCase()
}
