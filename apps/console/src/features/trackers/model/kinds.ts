import type { TrackerKindName } from '@firsthand/contract'

/** What people enter for a kind of tracker. */
export interface KindField {
  readonly name: string
  /** Secrets are never shown again: when a connection is changed, an empty one stays as it is. */
  readonly place: 'settings' | 'secrets'
  readonly label: string
  readonly help?: string
  readonly placeholder?: string
  readonly optional?: true
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
}

export interface KindWords {
  readonly label: string
  /** Where its token comes from. */
  readonly help: string
  readonly fields: readonly KindField[]
  /** What to do at the tracker, so that it tells of its changes. */
  readonly webhook: string
}

const address = (placeholder: string, help?: string): KindField => ({
  name: 'url',
  place: 'settings',
  label: 'Address',
  placeholder,
  ...(help === undefined ? {} : { help }),
})

const token = (help: string): KindField => ({ name: 'token', place: 'secrets', label: 'Token', help })

const REPOSITORY: KindField = { name: 'repository', place: 'settings', label: 'Repository', placeholder: 'owner/name' }

/** The kinds of trackers, in the order in which they are offered. */
export const KINDS: Readonly<Record<TrackerKindName, KindWords>> = {
  github: {
    label: 'GitHub',
    help: 'One repository of GitHub, or of a GitHub Enterprise Server.',
    fields: [
      address('https://github.com'),
      REPOSITORY,
      token('A fine-grained token with the right to read and write issues of this repository.'),
    ],
    webhook:
      'In the repository’s settings, under Webhooks, add this address with the content type application/json, the secret, and the event “Issues”.',
  },
  gitlab: {
    label: 'GitLab',
    help: 'One project of GitLab.com, or of a GitLab of your own.',
    fields: [
      address('https://gitlab.com'),
      { name: 'project', place: 'settings', label: 'Project', placeholder: 'group/name' },
      token('A project access token with the role Reporter and the scope api.'),
      {
        name: 'webhookSecret',
        place: 'secrets',
        label: 'Signing token of the webhook',
        placeholder: 'whsec_…',
        help: 'Only where GitLab made one itself. From then on, what it does not sign is refused.',
        optional: true,
      },
    ],
    webhook:
      'In the project’s settings, under Webhooks, add this address, enter the secret as the secret token or as the signing token, and choose “Issues events”. Where GitLab makes the signing token itself, enter it here by “Change”.',
  },
  gitea: {
    label: 'Gitea, Forgejo',
    help: 'One repository of a Gitea or Forgejo.',
    fields: [
      address('https://git.example.com'),
      REPOSITORY,
      token('An access token with the right to read and write issues.'),
    ],
    webhook:
      'In the repository’s settings, under Webhooks, add a Gitea webhook with this address, the secret, and the issue events.',
  },
  jira: {
    label: 'Jira',
    help: 'One project of Jira Cloud, or of Jira Data Center.',
    fields: [
      address('https://acme.atlassian.net'),
      {
        name: 'version',
        place: 'settings',
        label: 'Edition',
        choices: [
          { value: '3', label: 'Jira Cloud' },
          { value: '2', label: 'Jira Data Center' },
        ],
      },
      { name: 'project', place: 'settings', label: 'Project key', placeholder: 'SHOP' },
      { name: 'issueType', place: 'settings', label: 'Issue type', placeholder: 'Bug' },
      {
        name: 'apiUrl',
        place: 'settings',
        label: 'API address',
        placeholder: 'https://api.atlassian.com/ex/jira',
        help: 'Only for a token with scopes, which Jira Cloud takes at this address alone. The id of the site is added.',
        optional: true,
      },
      {
        name: 'email',
        place: 'settings',
        label: 'Account',
        placeholder: 'firsthand@example.com',
        help: 'The e-mail address of the account to which the token belongs. Data Center needs none.',
        optional: true,
      },
      token('An API token of that account; of Data Center, a personal access token.'),
    ],
    webhook:
      'In Jira’s administration, under System, WebHooks, add this address with the secret and the event “Issue updated”. Where there is no field for a secret, write ?secret= and the secret behind the address.',
  },
  linear: {
    label: 'Linear',
    help: 'One team of Linear.',
    fields: [
      { name: 'team', place: 'settings', label: 'Team key', placeholder: 'ENG', help: 'What its issues begin with.' },
      token('A personal API key.'),
      {
        name: 'webhookSecret',
        place: 'secrets',
        label: 'Signing secret of the webhook',
        help: 'Linear shows it once you added the webhook. Until then, Linear is not heard.',
        optional: true,
      },
    ],
    webhook:
      'In Linear’s settings, under API, add a webhook with this address for issues of the team. Then enter the signing secret that Linear shows here.',
  },
}

export const KIND_NAMES = Object.keys(KINDS) as readonly TrackerKindName[]
